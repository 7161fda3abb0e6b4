#!/usr/bin/env bash
# Runs the library's tests under the thread sanitizer; the first race ends the run. Races of other libraries are named
# in races-of-others.txt. Everything is optimised: the tests take minutes instead of hours.
#
# They run in a copy of the sources, whose modules lock and wait in a way that the sanitizer sees (VisibleMutex.swift,
# VisibleContinuation.swift).
#
# Usage: test-tsan.sh [TARGET…]
#   TARGET   test targets, such as TexelFramesTests: only these are built and run; by default all but the command
#            line's, which run the program from outside
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-tsan/sources
rm -rf "$copy"
mkdir -p "$copy"
tar -c --exclude=.build -- * | tar -x -C "$copy"
uses() { grep -rqs --include='*.swift' "$@"; }
# The replaced types are internal, which inlinable code cannot use.
grep -rlE '@(inlinable|usableFromInline)' "$copy/Sources" | xargs sed -i -E 's/@(inlinable|usableFromInline)\b *//g'
for target in $(Scripts/module-graph.py --folders | sed "s|^|$copy/|") "$copy"/Tests/*; do
    if uses '^ *import Synchronization' "$target"; then
        cp -a Scripts/VisibleMutex.swift "$target"
    fi
    if uses 'withChecked.*Continuation' "$target"; then
        grep -rlE 'Checked.*Continuation' "$target" |
            xargs sed -i -E 's/\bwithChecked(Throwing)?Continuation\b/Visible.&/g; s/\bCheckedContinuation</Visible.Continuation</g'
        cp -a Scripts/VisibleMutex.swift Scripts/VisibleContinuation.swift "$target"
    fi
done

export TSAN_OPTIONS="suppressions=$PWD/Scripts/races-of-others.txt halt_on_error=1 second_deadlock_stack=1 ${TSAN_OPTIONS:-}"
targets=("$@")
((${#targets[@]} > 0)) || mapfile -t targets < <(cd Tests && ls -d Texel*Tests | grep -v CLI)
TEXEL_TESTS=$(IFS=,; echo "${targets[*]}")
export TEXEL_TESTS
options=(--package-path "$copy" --scratch-path .build-tsan/build --sanitize=thread -Xswiftc -O)
SWIFT_DETERMINISTIC_HASHING=1 "${SWIFT:-swift}" build --product TexelPackageTests "${options[@]}"
# An isolated child has an address-space limit, and the sanitizer reserves terabytes.
Scripts/run-tests.sh --skip-build "${options[@]}" \
    --skip 'IsolationTests|ConfinementTests|ToyCodecTests.childProcessesGiveEqualResults'
