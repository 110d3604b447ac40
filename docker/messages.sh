# Sourced by the scripts of docker/: how they speak. All goes to stderr, stdout belongs to the command.
# shellcheck shell=bash

say() { echo "docker/run: $*" >&2; }

# fail SENTENCE: the environment itself cannot be had. 125 is what `docker run` and `env` use for this,
# so that it is not taken for an exit code of the command.
fail() {
    say "$*"
    exit 125
}

# progress WHAT DONE TOTAL: a bar on a terminal, elsewhere a line each time another quarter is done.
progress() {
    local percent=$(($2 * 100 / ($3 > 0 ? $3 : 1)))
    if [ -t 2 ]; then
        local bar
        printf -v bar '%*s' $((percent / 4)) ''
        printf '\rdocker/run: %-12s [%-25s] %3d %%' "$1" "${bar// /#}" "$percent" >&2
        [ "$2" -lt "$3" ] || echo >&2
    elif [ "$percent" -ge 25 ] && [ "$1 $((percent / 25))" != "${progress_said:-}" ]; then
        progress_said="$1 $((percent / 25))"
        say "$1 $percent %"
    fi
}
