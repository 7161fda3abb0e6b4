#!/usr/bin/env bash
# Runs the tests of the library under the thread sanitizer; the first race ends the run. What is no race of Texel's is
# named in races-of-others.txt. Everything is optimised: the tests take minutes, not hours.
#
# They run in a copy, whose modules lock and wait so that the sanitizer sees it (VisibleMutex.swift,
# VisibleContinuation.swift): apart from that the copy is what lies here. Arguments choose other tests, such as
# `--filter DiskCacheTests`.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-tsan/sources
rm -rf "$copy"
mkdir -p "$copy"
tar -c --exclude=.build -- * | tar -x -C "$copy"
uses() { grep -rqs --include='*.swift' "$@"; }
for target in "$copy"/Sources/* "$copy"/Tests/*; do
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
if (($# == 0)); then
    # A child's address space has an end, and the sanitizer takes terabytes of it. The command line's tests look at
    # programs from outside.
    set -- --skip 'IsolationTests|ConfinementTests|^TexelCLITests\.'
fi
swift test --package-path "$copy" --scratch-path .build-tsan/build --sanitize=thread -Xswiftc -O "$@"
