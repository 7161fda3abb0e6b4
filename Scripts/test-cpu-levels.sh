#!/usr/bin/env bash
# Runs the built tests that go through the hot loops at each processor level that this machine has below its best, which
# is the one that a plain `swift test` takes.
set -euo pipefail
cd "$(dirname "$0")/.."

level_in_use() { .build/debug/texel --version -v | sed -n 's/^processor level //p'; }

best=$(level_in_use)
for level in baseline v2 v3 v4; do
    [ "$level" = "$best" ] && break
    echo "--- processor level $level"
    export TEXEL_CPU=$level
    [ "$(level_in_use)" = "$level" ] || { echo "TEXEL_CPU=$level is not heeded" >&2; exit 1; }
    # Some suites do not depend on it: one goes through all levels by itself, the others are about something else.
    Scripts/run-tests.sh --skip-build --filter '^(TexelPixelsTests|TexelPipelineTests|TexelTests)\.' \
        --skip 'KernelTests|FilterWeightsTests|IsolationTests|MessageTests|ConfinementTests'
done
