#!/usr/bin/env bash
# Runs tests at each CPU level below this machine's best. A plain test run uses the best level.
#
# Usage: test-cpu-levels.sh [--all] PROGRAM ARGUMENT…
#   --all     runs every test; by default only those whose pixels come from the kernels
#   PROGRAM   the `texel` of the same build, which tells the levels
#   ARGUMENT  for `swift test`: which build
set -euo pipefail
cd "$(dirname "$0")/.."

tests=(--filter '^TexelPixelsTests\.|\.(PlannerEquivalence|RouteAgreement|LosslessTransform|Transcoding|JPEGScan)Tests/')
# These compare all levels by themselves.
tests+=(--skip 'KernelTests/|FilterWeightsTests/')
if [ "$1" = --all ]; then
    tests=()
    shift
fi
program=$1
shift

level_in_use() { "$program" --version -v | sed -n 's/^processor level //p'; }

best=$(level_in_use)
for level in baseline v2 v3 v4; do
    [ "$level" = "$best" ] && break
    echo "--- CPU level $level"
    export TEXEL_CPU=$level
    [ "$(level_in_use)" = "$level" ] || { echo "TEXEL_CPU=$level has no effect" >&2; exit 1; }
    Scripts/run-tests.sh "$@" ${tests[@]+"${tests[@]}"}
done
