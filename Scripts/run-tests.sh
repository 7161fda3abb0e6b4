#!/usr/bin/env bash
# `swift test` with the arguments given. Where a test fails, what it said stands again below the runner's last line:
# thousands of lines may lie between.
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${SWIFT:-swift}" test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    printf '\nWhat failed:\n'
    grep -a -A 4 -E 'recorded an issue|^✘ Test .* failed after|: error: |Fatal error' "$log" |
        grep -a -v -E '^(✔|◇|--)' | head -c 20000
fi
exit "$status"
