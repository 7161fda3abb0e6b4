#!/usr/bin/env bash
# Runs the program that counts the allocations of 400 frames on each of several ways, and fails where they cost any; or
# where an hour of frames, on a clock that jumps, takes more memory than its beginning.
#
# Usage: test-frame-allocations.sh PROGRAM
# An optimised build: without the optimiser Swift allocates where the language does not ask for it. A few allocations in
# all, fewer than one for every ten frames, are not the frames' but the process's own.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" "$scratch/clip.y4m" | tee "$scratch/counts"
awk -F ': ' '
    / KB more: / { if ($2 > 1024) { print "too much memory: " $0; bad = 1 } next }
    $2 < 0 { print "the allocations cannot be counted on this system"; exit 0 }
    $2 >= 40 { print "too many: " $0; bad = 1 }
    END { if (NR < 14) { print "only " NR " things were measured"; bad = 1 } exit bad }' "$scratch/counts"
