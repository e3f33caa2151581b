#!/bin/bash
# Runs every fuzz target of a build with the `asan` preset for a while, from its seeds.
#   fuzz/run_all.sh SECONDS BUILD_DIR
# FUZZ_SEED repeats a run. An input that breaks a target is kept in BUILD_DIR/fuzz-crashes.
set -u
if [ $# -ne 2 ]; then
  echo "usage: $0 SECONDS BUILD_DIR" >&2
  exit 1
fi
seconds=$1
build=$(cd "$2" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
seed=${FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
crashes=$build/fuzz-crashes
mkdir -p "$crashes"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "fuzz seed $seed (repeat with FUZZ_SEED=$seed)"

# run TARGET: one line about it, or the end of its output.
run() {
  local target=$1 dictionary=()
  mkdir "$work/$target"
  if [ -d "$here/corpus/$target" ]; then cp "$here/corpus/$target"/* "$work/$target"; fi
  if [ -f "$here/$target.dict" ]; then dictionary=("-dict=$here/$target.dict"); fi
  if "$build/$target" -seed="$seed" -max_total_time="$seconds" -max_len=8192 -timeout=10 \
    -rss_limit_mb=2048 -artifact_prefix="$crashes/$target-" "${dictionary[@]}" \
    "$work/$target" > "$work/$target.log" 2>&1; then
    echo "$target: ok, $(grep -o 'Done [0-9]* runs' "$work/$target.log")"
  else
    tail -n 60 "$work/$target.log" >&2
    echo "$target: FAILED; the input is in $crashes" >&2
    touch "$work/failed"
  fi
}

targets=()
for source in "$here"/*_fuzz.cc; do
  target=$(basename "$source" .cc)
  if [ -x "$build/$target" ]; then
    targets+=("$target")
  else
    echo "$target: not built in $build" >&2
    touch "$work/failed"
  fi
done
if [ ${#targets[@]} -eq 0 ]; then exit 1; fi
# As many at a time as there are processors.
free=$(nproc)
for target in "${targets[@]}"; do
  if [ "$free" -eq 0 ]; then
    wait -n
    free=1
  fi
  run "$target" &
  free=$((free - 1))
done
wait
[ ! -e "$work/failed" ]
