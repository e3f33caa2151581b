#!/usr/bin/env bash
# Formats all C++ with clang-format 14 (others differ in details), or with --check says which
# files are not formatted and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v clang-format-14 >/dev/null; then
  echo "format: clang-format-14 is missing: tools/bootstrap.sh check installs it" >&2
  exit 1
fi
mapfile -d '' files < <(find include src apps node/src fuzz test bench \
  \( -name '*.cc' -o -name '*.h' \) -print0 | sort -z)
if [ "${1:-}" = --check ]; then
  clang-format-14 --dry-run --Werror "${files[@]}"
else
  clang-format-14 -i "${files[@]}"
fi
