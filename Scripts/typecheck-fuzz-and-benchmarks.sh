#!/usr/bin/env bash
# Checks the types of sources that no other check compiles: the fuzz targets, and the programs and suites of the
# benchmarks. Builds the library of the suites in .build-benchmarks.
#
#     typecheck-fuzz-and-benchmarks.sh PROGRAMS
#
# PROGRAMS is the folder of a build of all targets, such as .build/release.
set -euo pipefail
programs=$(realpath "$1")
cd "$(dirname "$0")/.."
source Scripts/module-flags.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The fuzz targets belong to the package, whose name is that of its folder. They are built with testable modules
# (fuzz.sh), which the program's own are not; types are the same.
options=(-swift-version 6 -enable-experimental-feature Lifetimes -enable-upcoming-feature ExistentialAny "${flags[@]}"
    -Xfrontend -disable-testable-attr-requires-testable-module)
mapfile -t sources < <(find Fuzz/Sources -name '*.swift')
"${SWIFT:-swift}"c -typecheck -package-name "$(basename "$PWD" | tr 'A-Z-' 'a-z_')" "${options[@]}" "${sources[@]}"

"${SWIFT:-swift}"c -emit-module -module-name BenchmarkPictures -emit-module-path "$scratch/" "${options[@]}" \
    Benchmarks/Sources/BenchmarkPictures/*.swift
for program in DecodeTimer FrameTimer OperationTimer PipelineTimer ResizeTimer; do
    "${SWIFT:-swift}"c -typecheck -parse-as-library -I "$scratch" "${options[@]}" Benchmarks/Sources/$program/*.swift
done

SWIFT_DETERMINISTIC_HASHING=1 "${SWIFT:-swift}" build --package-path Benchmarks --scratch-path .build-benchmarks --target Benchmark
library=$PWD/.build-benchmarks/debug
options+=(-I "$scratch" -I "$library/Modules")
for folder in "$library"/*.build; do
    # Tools of the package have the same modules again, and some modules are also Texel's.
    if [[ $folder != *-tool.build && -f $folder/module.modulemap && ! -e $programs/${folder##*/} ]]; then
        options+=(-Xcc "-fmodule-map-file=$folder/module.modulemap")
    fi
done
for checkout in .build-benchmarks/checkouts/*; do
    [ -e "$programs/../../checkouts/${checkout##*/}" ] && continue
    for headers in "$checkout"/Sources/*/include; do options+=(-I "$headers"); done
done
for suite in Kernels Pictures; do
    "${SWIFT:-swift}"c -typecheck -parse-as-library "${options[@]}" Benchmarks/Benchmarks/$suite/*.swift
done
echo "the sources of Fuzz and Benchmarks compile"
