#!/usr/bin/env bash
# Fuzzes each target of Fuzz/ for SECONDS (60 if not given), or only those named behind it, and prints what came of it.
# Inputs that a run finds stay in .build-fuzz/corpus, or where TEXEL_FUZZ_CORPUS says, and the next run goes on from
# there. Ends with 1 where a target crashed, hung or leaked; its input is then in .build-fuzz/crashes/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
build=.build-fuzz
program=$build/release/texel-fuzz
corpus=${TEXEL_FUZZ_CORPUS:-$build/corpus}

# Swift and C are built with addresses checked and with the fuzzer's counters, C with undefined behaviour checked too.
# libFuzzer comes with the compiler, as a library without a main of its own.
runtime=$(dirname "$(find "$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib" \
    -name "libclang_rt.fuzzer_no_main-$(uname -m).a" -print -quit)")
counters=trace-cmp,indirect-calls,inline-8bit-counters,pc-table
TEXEL_FUZZ=1 SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --scratch-path $build --product texel-fuzz --sanitize=address \
    -Xswiftc -enable-testing -Xswiftc -sanitize-coverage=edge,$counters \
    -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined -Xcc -fsanitize-coverage=$counters \
    -Xswiftc -use-ld=lld -Xlinker "$runtime/libclang_rt.fuzzer_no_main-$(uname -m).a" -Xlinker -lstdc++
if [ ! -d $build/seeds ]; then
    python3 Fuzz/seeds.py $build/seeds >/dev/null
    $program --seeds $build/seeds
fi

# The fuzzer tells of a crash by itself; Swift's own way takes seconds for it.
export SWIFT_BACKTRACE=enable=no
# Memory that nobody has written holds ones, so that it is seen where it comes out.
export ASAN_OPTIONS=allocator_may_return_null=1:max_malloc_fill_size=1048576:malloc_fill_byte=1:${ASAN_OPTIONS:-}
export LSAN_OPTIONS=suppressions=$PWD/Scripts/leaks-of-others.txt:print_suppressions=0:${LSAN_OPTIONS:-}
table=$(mktemp)
trap 'rm -f "$table"' EXIT
failed=0
while read -r target length; do
    if [ $# -gt 0 ] && [[ " $* " != *" $target "* ]]; then continue; fi
    crashes=$build/crashes/$target
    log=$build/$target.log
    mkdir -p "$corpus/$target" "$crashes" "$build/seeds/$target"
    printf '%s … ' "$target"
    case $target in
    apng) words=png ;;
    moving | mjpeg | jpeg-scan) words=jpeg ;;
    boxes) words=avif ;;
    heic) words='avif heic' ;;
    probe | arriving | rewriting) words='jpeg png gif pnm bmp qoi avif heic tiff' ;;
    processing) words='jpeg png' ;;
    video) words='video y4m' ;;
    *) words=$target ;;
    esac
    for word in $words; do cat "Fuzz/Dictionaries/$word.dict"; done >"$build/$target.dict"
    status=0
    TEXEL_FUZZ_TARGET=$target $program "$corpus/$target" "$build/seeds/$target" -dict="$build/$target.dict" \
        -max_total_time="$seconds" -max_len="$length" -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$crashes/" >"$log" 2>&1 </dev/null || status=$?
    # Without an end of its own a run tells how far it came in its last lines.
    awk -v target="$target" -v seconds="$seconds" -v status="$status" '
        match($0, /^#[0-9]+/) { executions = substr($0, 2, RLENGTH - 1) }
        match($0, /cov: [0-9]+/) { edges = substr($0, RSTART + 5, RLENGTH - 5) }
        match($0, /corp: [0-9]+/) { inputs = substr($0, RSTART + 6, RLENGTH - 6) }
        /Done [0-9]+ runs in/ { executions = $2; seconds = $5 }
        END {
            rate = seconds > 0 ? executions / seconds : 0
            printf "%s\t%d\t%d\t%d\t%d\t%d\n", target, executions, rate, edges, inputs, status != 0
        }' "$log" >>"$table"
    if [ "$status" -eq 0 ]; then
        echo "done"
    else
        failed=1
        echo "failed:"
        grep -a -m 3 -E 'Fatal error|ERROR|runtime error|Test unit written' "$log" | sed 's/^/    /' || true
        echo "    input: $(grep -a -o 'Test unit written to .*' "$log" | tail -1 | cut -d' ' -f5-), log: $log"
    fi
done < <($program --list)

{
    printf 'target\texecutions\tper second\tedges\tinputs\tcrashes\n'
    cat "$table"
} | awk -F '\t' '{ printf "%-12s %12s %12s %8s %8s %8s\n", $1, $2, $3, $4, $5, $6 }'
exit $failed
