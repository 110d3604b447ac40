# Sourced by the scripts of docker/: messages, all on stderr; stdout belongs to the command.
# shellcheck shell=bash

say() { echo "docker/run: $*" >&2; }

# fail MESSAGE: the environment is not available. The exit code 125, as of `docker run` and `env`, differs
# from those of the command.
fail() {
    say "$*"
    exit 125
}

# progress WHAT DONE TOTAL: a bar on a terminal, otherwise a line for each quarter.
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
