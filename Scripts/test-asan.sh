#!/usr/bin/env bash
# Runs the tests with the sanitizers of addresses and leaks (Swift and C) and of undefined behaviour (C). The first
# fault ends the run. Everything is optimised: the tests take minutes instead of hours, and pointers that outlive what
# they point into are found as users would meet them. The build has a folder of its own.
#
# Usage: test-asan.sh [TARGET…]
#   TARGET   test targets, such as TexelCodecsTests: only these are built and run; all by default
set -euo pipefail
cd "$(dirname "$0")/.."

export LSAN_OPTIONS=suppressions=$PWD/Scripts/leaks-of-others.txt:print_suppressions=0:${LSAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
# A backtrace of a child that crashes on purpose takes seconds.
export SWIFT_BACKTRACE=enable=no

# Unwritten memory is filled, so that a test sees it if it comes out. A test expects that SIGBUS ends a process.
export ASAN_OPTIONS=max_malloc_fill_size=1048576:malloc_fill_byte=1:handle_sigbus=0:${ASAN_OPTIONS:-}

options=(--sanitize=address --scratch-path .build-asan
    -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined -Xswiftc -use-ld=lld -Xswiftc -O)
targets=("$@")
((${#targets[@]} > 0)) || mapfile -t targets < <(cd Tests && ls -d Texel*Tests)
TEXEL_TESTS=$(IFS=,; echo "${targets[*]}")
export TEXEL_TESTS
for product in TexelPackageTests texel; do
    SWIFT_DETERMINISTIC_HASHING=1 "${SWIFT:-swift}" build --product "$product" "${options[@]}"
done

# An isolated child has an address-space limit, and the sanitizer reserves terabytes.
children='IsolationTests|IsolateTests|ConfinementTests|ToyCodecTests.childProcessesGiveEqualResults'
for target in "${targets[@]}"; do
    leaks=1
    # Programs that end in the middle of a function keep what they had, and most tests of streams leave tasks unfinished
    # on executors of their own; both count as leaks.
    case $target in TexelCLITests | TexelStreamsTests) leaks=0 ;; esac
    echo "--- $target"
    ASAN_OPTIONS=detect_leaks=$leaks:$ASAN_OPTIONS Scripts/run-tests.sh --skip-build "${options[@]}" \
        --filter "^$target\." --skip "$children"
done
