# Sourced by docker/run: choice of the kind of environment. Each `has_KIND` sets $why to the reason and
# returns 1 if that kind is not available.
# shellcheck shell=bash disable=SC2154  # $here, $suite, $extra, $name are set by docker/run

has_native() {
    local python
    if [ -n "$suite" ]; then
        why="--debian $suite needs a separate environment"
    elif ! python=$(command -v python3); then
        why="python3 not found on PATH"
    elif ! why=$("$python" "$here/dependencies.py" 2>/dev/null); then
        why="$python cannot be used: ${why:-it does not run}"
    elif [ "$extra" = browser ] && ! command -v chromium >/dev/null; then
        why="chromium not found on PATH"
    else
        why="$python has dolfinx and all other dependencies"
        return 0
    fi
    return 1
}

# Sets $engine: docker or podman, the first that is running. Without --env, an existing root file system is
# preferred to an image that would have to be built, so that installing Podman does not trigger a build.
has_docker() {
    for engine in docker podman; do
        if command -v "$engine" >/dev/null && timeout 10 "$engine" version >/dev/null 2>&1; then
            why="${engine^} is running; the image is fecontact:$name"
            [ "${#kinds[@]}" -gt 1 ] && [ -d "$FECONTACT_CACHE/$name" ] || return 0
            ! "$engine" image inspect "fecontact:$name" >/dev/null 2>&1 || return 0
            why="${engine^} is running, but $FECONTACT_CACHE/$name is already built and the image is not"
            return 1
        fi
    done
    why="neither Docker nor Podman is running"
    return 1
}

# A root file system can be built on hosts with Debian's tools; rootfs/build reports missing ones. Because the
# download is large, `enter --check` first tests whether the result could be used.
has_rootfs() {
    if [ -d "$FECONTACT_CACHE/$name" ]; then
        why="$FECONTACT_CACHE/$name, already built"
    elif why=$("$here/rootfs/enter" --check 2>&1); then
        why="$FECONTACT_CACHE/$name, built at the first call"
    else
        why=${why#docker/run: }
        why=${why%.}
        return 1
    fi
}

# several_computers COMMAND...: succeeds if a batch system or the command distributes ranks over computers.
several_computers() {
    local word nodes
    for nodes in "${SLURM_STEP_NUM_NODES:-}" "${SLURM_JOB_NUM_NODES:-}"; do
        [ "${nodes:-1}" -le 1 ] 2>/dev/null || return 0
    done
    [ "${OMPI_COMM_WORLD_SIZE:-1}" -le "${OMPI_COMM_WORLD_LOCAL_SIZE:-1}" ] 2>/dev/null || return 0
    [ -z "${PBS_NODEFILE:-}" ] || [ "$(sort -u "$PBS_NODEFILE" 2>/dev/null | wc -l)" -le 1 ] || return 0
    # Other words may precede the launcher: timeout 60 mpirun --host a,b ...
    while [ $# -gt 0 ]; do
        case ${1##*/} in mpirun | mpiexec | prterun) break ;; esac
        shift
    done
    for word; do
        case $word in -H | -host | --host | --hosts | -hostfile | --hostfile | --machinefile) return 0 ;; esac
    done
    return 1
}

# choose KIND...: the first that can be used becomes $kind; $passed lists the reasons against those before it.
choose() {
    passed=''
    for kind; do
        ! "has_$kind" || return 0
        passed+="not $kind: $why"$'\n'
    done
    return 1
}
