#!/usr/bin/env bash
# `swift test` with the arguments given. Where a test fails, what it said stands again below the runner's last line:
# thousands of lines may lie between. Tests that hang end as failures that say where their threads are, once
# nothing was printed for QUIET_LIMIT seconds.
set -uo pipefail

QUIET_LIMIT=${QUIET_LIMIT:-900}

log=$(mktemp)
number=$(mktemp)
trap 'rm -f "$log" "$number"' EXIT

descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        echo "$child"
        descendants "$child"
    done
}

# Prints where the threads of all that the tests consist of are, and ends it.
end_tests() {
    local tests process
    tests="$(cat "$number") $(descendants "$(cat "$number")")"
    printf '\nNo output for %s seconds:\n' "$QUIET_LIMIT"
    ps -o pid,ppid,etimes,stat,wchan:24,args -p "$(echo $tests | tr ' ' ,)" | cut -c1-200
    for process in $tests; do
        if grep -aq PackageTests "/proc/$process/cmdline"; then
            # What it was about to print comes out as well.
            gdb -p "$process" -batch -ex 'set pagination off' -ex 'thread apply all backtrace 30' \
                -ex 'call (int)fflush(0)' 2>&1 | grep -aE '^(Thread|#)' | "${SWIFT:-swift}" demangle --simplified |
                cut -c1-200
        fi
    done
    echo 'error: the tests hang'
    # Whatever they left behind may keep the pipe open.
    kill -KILL $tests
    pkill -P $$ -x tee
}

watch_over() {
    local size=-1 last=$SECONDS now
    while sleep 5; do
        now=$(wc -c <"$log")
        if [ "$now" != "$size" ]; then
            size=$now last=$SECONDS
        elif ((SECONDS - last >= QUIET_LIMIT)); then
            end_tests 2>&1 | tee -a "$log"
            return
        fi
    done
}

watch_over &
watcher=$!
(
    echo "$BASHPID" >"$number"
    exec "${SWIFT:-swift}" test "$@" 2>&1
) | tee -a "$log"
status=${PIPESTATUS[0]}
# Not while it says what it has found.
if [ "$status" -eq 137 ]; then wait "$watcher"; else kill "$watcher"; fi
if [ "$status" -ne 0 ]; then
    printf '\nWhat failed:\n'
    grep -a -A 4 -E 'recorded an issue|^✘ Test .* failed after|error: |Fatal error' "$log" |
        grep -a -v -E '^(✔|◇|--)' | head -c 20000
fi
exit "$status"
