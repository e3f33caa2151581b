#!/usr/bin/env bash
# clang-tidy 14 with .clang-tidy over the code that is shipped (tests are checked by the compiler
# and by running), two files at a time. Any finding fails.
#
#   tools/run_clang_tidy.sh BUILD_DIR [FILE…]     (BUILD_DIR has compile_commands.json)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift

if [ $# -gt 0 ]; then
  files=("$@")
else
  rooms=(src apps)
  # The addon is part of a build only where Node's headers are.
  ! grep -q node/src/addon.cc "$build/compile_commands.json" || rooms+=(node/src)
  mapfile -t files < <(
    find "${rooms[@]}" -name '*.cc' ! -name '*_test.cc' ! -name '*_bench.cc' | sort)
fi
# Flags of GCC that Clang does not know must not count as findings.
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P 2 clang-tidy-14 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option
echo "clang-tidy: ${#files[@]} files, no findings"
