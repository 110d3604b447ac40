# Sourced by rootfs/build: the host's apt-get, told to work for another release in a directory of its own.
# The host's packages and settings are left alone, but its mirror, proxy and credentials are used.
# shellcheck shell=bash

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# apt_prepare WORK SUITE: make $apt, the options that turn apt-get and apt-cache to WORK and SUITE.
apt_prepare() {
    local work=$1 suite=$2 mirror
    mkdir -p "$work"/state/lists/partial "$work"/archives/partial
    touch "$work/state/status"
    cat >"$work/apt.conf" <<EOF
Dir::State "$work/state";
Dir::State::lists "$work/state/lists";
Dir::State::status "$work/state/status";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
APT::Get::Assume-Yes "true";
Acquire::Languages "none";
Acquire::Retries "3";
quiet "2";
// A host may empty its own package cache at the end of each run: not here.
#clear APT::Update::Post-Invoke;
#clear DPkg::Post-Invoke;
EOF
    apt=(-c "$work/apt.conf")
    mirror=${FECONTACT_MIRROR:-$(host_mirror)}
    [ -n "$mirror" ] || fail "the apt-get of this host knows no Debian mirror: set FECONTACT_MIRROR to" \
        "the address of one (what stands after \"deb\" in a sources.list)."
    echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"
    apt+=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null)
}

# host_mirror: print the address of the Debian archive in the host's own sources. apt-get tells it from
# other archives by the label in its index; a host that has never fetched one does so in WORK.
host_mirror() {
    local ask=(indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian')
    apt-get "${ask[@]}" 2>/dev/null | head -n 1 | grep . ||
        { apt-get "${apt[@]}" update >&2 && apt-get "${apt[@]}" "${ask[@]}" | head -n 1; } || true
}

# apt_sizes PACKAGE...: print the megabytes to download and to store, and the number of packages.
apt_sizes() {
    apt-get "${apt[@]}" --quiet=1 --print-uris install "$@" |
        awk '/^After this operation/ { store = $4; if ($5 == "GB") store *= 1000; if ($5 == "kB") store /= 1000 }
             /^\047/ { load += $3; count++ }
             END { printf "%.0f %.0f %d\n", load / 1e6, store, count }'
}

# apt_download PACKAGE...: fetch the packages and all they depend on into WORK/archives.
apt_download() {
    local kind percent
    apt-get "${apt[@]}" -o APT::Status-Fd=3 --download-only install "$@" 3>&1 >/dev/null |
        while IFS=: read -r kind _ percent _; do
            [ "$kind" != dlstatus ] || [ "${percent%.*}" -ge 100 ] || progress downloading "${percent%.*}" 100
        done && progress downloading 100 100
}
