# Sourced by docker/run: which kind of environment a command runs in. Each `has_KIND` says in $why what it
# found, and fails if that kind cannot be used.
# shellcheck shell=bash disable=SC2154  # $here, $suite, $extra, $name are set by docker/run

has_native() {
    local python
    if [ -n "$suite" ]; then
        why="--debian $suite asks for an environment of its own"
    elif ! python=$(command -v python3); then
        why="there is no python3 on PATH"
    elif ! why=$("$python" "$here/dependencies.py" 2>/dev/null); then
        why="$python cannot be used: ${why:-it does not run}"
    elif [ "$extra" = browser ] && ! command -v chromium >/dev/null; then
        why="there is no chromium on PATH"
    else
        why="$python has dolfinx and every other dependency"
        return 0
    fi
    return 1
}

# Sets $engine: docker or podman, the first that answers. Where there is a choice, an image yet to be made is
# passed over for a root file system that is there: who installs Podman one day has not asked for another.
has_docker() {
    for engine in docker podman; do
        if command -v "$engine" >/dev/null && timeout 10 "$engine" version >/dev/null 2>&1; then
            why="${engine^} answers; the image is fecontact:$name"
            [ "${#kinds[@]}" -gt 1 ] && [ -d "$FECONTACT_CACHE/$name" ] || return 0
            ! "$engine" image inspect "fecontact:$name" >/dev/null 2>&1 || return 0
            why="${engine^} answers, but $FECONTACT_CACHE/$name is made already and the image is not"
            return 1
        fi
    done
    why="neither Docker nor Podman answers"
    return 1
}

# A root file system can be made wherever Debian's tools are; rootfs/build says if they are not. Whether it
# could be entered is asked first: there is much to download.
has_rootfs() {
    if [ -d "$FECONTACT_CACHE/$name" ]; then
        why="$FECONTACT_CACHE/$name, made already"
    elif why=$("$here/rootfs/enter" --check 2>&1); then
        why="$FECONTACT_CACHE/$name, which the first run makes"
    else
        why=${why#docker/run: }
        why=${why%.}
        return 1
    fi
}

# several_computers COMMAND...: whether a batch system or the command itself spreads ranks over computers.
several_computers() {
    local word nodes
    for nodes in "${SLURM_STEP_NUM_NODES:-}" "${SLURM_JOB_NUM_NODES:-}"; do
        [ "${nodes:-1}" -le 1 ] 2>/dev/null || return 0
    done
    [ "${OMPI_COMM_WORLD_SIZE:-1}" -le "${OMPI_COMM_WORLD_LOCAL_SIZE:-1}" ] 2>/dev/null || return 0
    [ -z "${PBS_NODEFILE:-}" ] || [ "$(sort -u "$PBS_NODEFILE" 2>/dev/null | wc -l)" -le 1 ] || return 0
    # The launcher may stand behind other words: timeout 60 mpirun --host a,b ...
    while [ $# -gt 0 ]; do
        case ${1##*/} in mpirun | mpiexec | prterun) break ;; esac
        shift
    done
    for word; do
        case $word in -H | -host | --host | --hosts | -hostfile | --hostfile | --machinefile) return 0 ;; esac
    done
    return 1
}

# choose KIND...: the first that can be used becomes $kind; $passed says why those before it cannot.
choose() {
    passed=''
    for kind; do
        ! "has_$kind" || return 0
        passed+="not $kind: $why"$'\n'
    done
    return 1
}
