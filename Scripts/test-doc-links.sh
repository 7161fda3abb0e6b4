#!/usr/bin/env bash
# Fails if a symbol link in a public documentation comment (``Type/member``) leads nowhere.
#
#     test-doc-links.sh PROGRAMS
#
# PROGRAMS is the folder of a build of all targets, such as .build-tests/release. DocC resolves the links of one module
# at a time, so a name of another module is written as code, not as a link.
set -euo pipefail
programs=$(realpath "$1")
cd "$(dirname "$0")/.."

modules=(TexelPixels TexelCodecs TexelPipeline Texel TexelFrames TexelStreams TexelFlutter)
if nm "$programs"/TexelHTTP.build/*.o 2>/dev/null | grep HTTPLoader >/dev/null; then modules+=(TexelHTTP); fi

# Where the modules' C headers are.
flags=()
for map in "$programs"/*.build/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
for folder in Sources/C*/ "$programs"/../../checkouts/*/Sources/*/include; do flags+=(-I "$folder"); done
for flag in $(pkg-config --cflags-only-I freetype2 fontconfig); do flags+=(-Xcc "$flag"); done

tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
target=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\(.*\)".*/\1/p')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

status=0
for module in "${modules[@]}"; do
    mkdir "$scratch/$module"
    "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$programs/Modules" "${flags[@]}" -target "$target" \
        -minimum-access-level public -emit-extension-block-symbols -output-dir "$scratch/$module"
    [ -s "$scratch/$module/$module.symbols.json" ]
    "$tools/docc" convert --additional-symbol-graph-dir "$scratch/$module" --fallback-display-name "$module" \
        --fallback-bundle-identifier "texel.$module" --output-path "$scratch/$module.doccarchive" \
        >"$scratch/$module.log" 2>&1
    # A warning is followed by its place.
    if grep -A 1 -E "^(warning|error): .*(doesn't exist at|can't be linked to|is ambiguous at)" "$scratch/$module.log"; then
        status=1
    fi
done
if [ "$status" = 0 ]; then echo "all symbol links of ${modules[*]} lead somewhere"; fi
exit "$status"
