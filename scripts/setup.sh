# Sourced by scripts/run and scripts/test: installs what is missing (Debian, Ubuntu) and builds build/release.
# Functions only; says what it does; never installs a package that is there.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/release/bin

engine_packages="g++ cmake ninja-build mold libdnnl-dev libprotobuf-dev protobuf-compiler nlohmann-json3-dev libcli11-dev libasio-dev libsimdjson-dev zlib1g-dev libisal-dev libsqlite3-dev libncurses-dev libopenmpi-dev openmpi-bin"
window_packages="qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n qt6-svg-dev libgl-dev libvulkan-dev libqcustomplot-dev libcairo2-dev libfreetype-dev libgif-dev fonts-inter fonts-noto-cjk"
test_packages="poppler-utils xvfb xauth tmux"
clang_packages="clang libclang-rt-dev libomp-dev"

# More than there are cores: some tests wait most of their time, for a link, a fault or a minute to pass.
tests_at_once=$(($(nproc) + 2))

say() { printf '%s\n' "$*" >&2; }

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# install_missing PACKAGE...: with sudo when not root; explains itself when it can do neither.
install_missing() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        say "This is not Debian or Ubuntu: make sure that the equivalents of these packages are installed: $*"
        return
    fi
    for package in "$@"; do is_installed "$package" || missing+=("$package"); done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "These packages are missing and this user may not install them (not root, no sudo):"
            say "    ${missing[*]}"
            say "Ask an administrator to run:  apt-get install ${missing[*]}"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "Installing with apt-get: ${missing[*]}"
    # Lists that cannot be fetched anew may still do.
    "${as_root[@]}" apt-get update -qq || say "apt-get could not fetch its lists; going on with those that are there."
    # Releases from Debian 13 on have Qt's reader of SVG, which draws the icons, in a package of its own.
    if [[ " ${missing[*]} " == *" qt6-svg-dev "* ]] && apt-cache show qt6-svg-plugins >/dev/null 2>&1; then
        missing+=(qt6-svg-plugins)
    fi
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
        say "These packages are missing and could not be installed (is there a network?):"
        say "    ${missing[*]}"
        say "Install them, then start this again."
        exit 1
    fi
}

# Whether a build can write what it has to: build/release, and what of it is there.
can_build() {
    local folder=$root/build/release part
    for part in . build.log build.ninja CMakeCache.txt .ninja_log .ninja_deps bin; do
        [ ! -e "$folder/$part" ] || [ -w "$folder/$part" ] || return 1
    done
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    [ -w "$folder" ]
}

# use_finished PROGRAM...: in a checkout that cannot be written to, whether these programs stand in it, so that there is
# nothing to do; without them it explains itself and ends. False where it can be built.
use_finished() {
    can_build && return 1
    local program
    for program in "$@"; do
        if [ ! -x "$program" ]; then
            say "Nothing can be built here: $root cannot be written to, and ${program#"$root/"} is not in it."
            [ "$program" = "$bin/bscope" ] || [ ! -x "$bin/bscope" ] ||
                say "bscope is: scripts/run --engine-only starts it."
            say "Copy the checkout to a folder of yours and start it there:"
            say "    cp -r $(printf '%q' "$root") ~/bubblescope && ~/bubblescope/scripts/$(basename "$0")"
            exit 1
        fi
    done
    say "$root cannot be written to: nothing is built, and what was built before is started."
}

# build TARGET [CMAKE-OPTION...], one at a time: configures once (or when options are given), then builds what of the target changed:
# `programs`, or `all`, which is the tests as well.
build() {
    local log=$root/build/release/build.log
    mkdir -p "$root/build/release"
    {
        if ! flock -n 9; then
            say "Another build of this checkout is at work; waiting for it."
            flock 9
        fi
        build_alone "$@"
    } 9>"$root/build/.lock"
}

build_alone() {
    local target=$1
    shift
    if [ ! -f "$root/build/release/build.ninja" ] || [ $# -gt 0 ]; then
        say "Configuring build/release"
        (cd "$root" && cmake --preset release "$@" >"$log" 2>&1) || { tail -n 30 "$log" >&2; say "Configuration failed; the whole log: $log"; exit 1; }
    fi
    if ! ninja -C "$root/build/release" -n "$target" | grep -q 'no work to do'; then
        say "Building build/release ($(nproc) at a time; the first build takes some minutes)"
        if [ -t 2 ]; then
            ninja -C "$root/build/release" "$target" >&2 || { say "The build failed."; exit 1; }
        else
            ninja -C "$root/build/release" "$target" >"$log" 2>&1 || { grep -A 20 'FAILED' "$log" | head -n 60 >&2; say "The build failed; the whole log: $log"; exit 1; }
        fi
    fi
}
