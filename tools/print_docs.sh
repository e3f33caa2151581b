#!/usr/bin/env bash
# The pages that are printed from the flag table: written below FOLDER, so that CI can print them
# elsewhere and compare.
#
#   tools/print_docs.sh BINARY FOLDER
set -euo pipefail
binary=$1 folder=$2

mkdir -p "$folder/compat"
"$binary" --print-man >"$folder/carronade.1"
"$binary" --print-compat >"$folder/compat/autocannon.md"
