#!/usr/bin/env bash
# Runs the tests with addresses and leaks checked, of Swift and C, and undefined behaviour of C; the first fault ends the
# run. Everything is optimised: the tests take minutes, not hours, and pointers that outlive what they point into are
# met as they would be by users. The build has a place of its own, so that the plain one is not lost. Arguments choose
# other tests, such as `--filter EXIF`.
set -euo pipefail
cd "$(dirname "$0")/.."

export LSAN_OPTIONS=suppressions=$PWD/Scripts/leaks-of-others.txt:print_suppressions=0:${LSAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
# A child that crashes on purpose need not draw a picture of it, which takes seconds.
export SWIFT_BACKTRACE=enable=no

# Memory that nobody has written holds ones, so that it is seen where it comes out.
export ASAN_OPTIONS=max_malloc_fill_size=1048576:malloc_fill_byte=1:${ASAN_OPTIONS:-}

run() {
    ASAN_OPTIONS=detect_leaks=$1:$ASAN_OPTIONS Scripts/run-tests.sh --sanitize=address --scratch-path .build-asan \
        -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined -Xswiftc -use-ld=lld -Xswiftc -O "${@:2}"
}

if (($# > 0)); then
    run 1 "$@"
    exit
fi
# A child's address space has an end, and the sanitizer takes terabytes of it.
children='IsolationTests|IsolateTests|ConfinementTests'
# Programs that end in the middle of a function leave what it had, and most tests of streams leave tasks unfinished on
# executors of their own; both count as leaks.
unfinished='^(TexelCLITests|TexelStreamsTests)\.'
run 1 --skip "$unfinished|$children"
run 0 --skip-build --filter "$unfinished" --skip "$children"
