#!/usr/bin/env bash
# Runs the tests of the pipeline and of the streams under the thread sanitizer; the first race ends the run.
#
# They run in a copy, whose modules lock through the system instead of through Swift's futex (VisibleMutex.swift): apart
# from that the copy is what lies here. Arguments choose other tests, such as `--filter DiskCacheTests`.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-tsan/sources
rm -rf "$copy"
mkdir -p "$copy/Benchmarks"
cp -a Package.swift Sources Tests TestImages "$copy"
# What its tests use of the benchmarks.
cp -a Benchmarks/Sources "$copy/Benchmarks"
[[ ! -e Package.resolved ]] || cp -a Package.resolved "$copy"
for target in "$copy"/Sources/* "$copy"/Tests/*; do
    if grep -rqs --include='*.swift' '^ *import Synchronization' "$target"; then
        cp -a Scripts/VisibleMutex.swift "$target"
    fi
done

export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 ${TSAN_OPTIONS:-}"
if (($# == 0)); then
    # A child's address space has an end, and the sanitizer takes terabytes of it.
    set -- --filter '^TexelPipelineTests\.|^TexelStreamsTests\.' --skip 'IsolationTests|ConfinementTests'
fi
swift test --package-path "$copy" --scratch-path .build-tsan/pipeline --sanitize=thread "$@"
