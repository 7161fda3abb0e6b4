#!/usr/bin/env bash
# Builds the reference documentation. Fails on any warning of DocC, on a public type that its module's page does not
# list, and on a Swift example in a catalogue that does not compile.
#
#     build-documentation.sh PROGRAMS [FOLDER]
#
# PROGRAMS is the folder of a build of all targets, such as .build/release. FOLDER receives one .doccarchive for each
# module, and site/, which holds all of them as one website. Without it, everything is only checked. Modules whose
# package trait is off in that build are left out.
#
# DocC resolves the links of one module at a time, so a name of another module is written as code, not as a link.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=${2:-$scratch/archives}
mkdir -p "$folder"
folder=$(realpath "$folder")
programs=$(realpath "$1")
cd "$(dirname "$0")/.."
# An archive of an earlier run must not become part of the site.
rm -rf "$folder"/Texel*.doccarchive "$folder/site"

modules=(TexelCore TexelPixels TexelFilters TexelMetrics TexelOperations TexelCodecs TexelJPEG TexelPNG TexelPNM TexelBMP
    TexelQOI TexelFormats TexelPipeline TexelBatch TexelPyramids Texel TexelText TexelFrames TexelStreams TexelFlutter)
# Without its trait, a module has no code.
for module in TexelArchives TexelGIF TexelWebP TexelAVIF TexelHEIC TexelJXL TexelTIFF TexelHTTP TexelOpenGL; do
    if nm --defined-only "$programs/$module.build"/*.o 2>/dev/null | grep ' T ' >/dev/null; then
        modules+=("$module")
    else
        echo "$module is left out: its package trait is off in this build"
    fi
done

source Scripts/module-flags.sh

tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
target=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\(.*\)".*/\1/p')
status=0

# Prints the titles of the groups that DocC has made for symbols that the catalogue does not list.
groups_without_a_place() {
    python3 - "$1" <<'END'
import json, sys

page = json.load(open(sys.argv[1], encoding="utf-8"))
for group in page.get("topicSections", []):
    if group.get("generated"):
        names = ", ".join(identifier.rsplit("/", 1)[1] for identifier in group["identifiers"])
        print(f"{group['title']}: {names}")
END
}

catalogue() { find Sources -type d -name "$1.docc"; }

for module in "${modules[@]}"; do
    mkdir "$scratch/$module"
    "$tools/swift-symbolgraph-extract" -module-name "$module" "${flags[@]}" -target "$target" \
        -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
        -output-dir "$scratch/$module"
    [ -s "$scratch/$module/$module.symbols.json" ]
    archive=$folder/$module.doccarchive
    if ! "$tools/docc" convert "$(catalogue "$module")" --additional-symbol-graph-dir "$scratch/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "texel.$module" --warnings-as-errors \
        --output-path "$archive" >"$scratch/$module.log" 2>&1; then
        cat "$scratch/$module.log"
        status=1
        continue
    fi
    rest=$(groups_without_a_place "$archive/data/documentation/$(tr A-Z a-z <<<"$module").json")
    if [ -n "$rest" ]; then
        printf '%s/%s.md does not list:\n%s\n' "$(catalogue "$module")" "$module" "$rest"
        status=1
    fi
done

# Each Swift example is a file that compiles by itself.
mkdir "$scratch/examples"
for module in "${modules[@]}"; do
    for page in "$(catalogue "$module")"/*.md; do
        awk -v name="$scratch/examples/$module-$(basename "$page" .md)" '
            /^```$/ { writing = 0 }
            writing { print > (name "-" count ".swift") }
            /^```swift$/ { writing = 1; count += 1 }' "$page"
    done
done
for example in "$scratch"/examples/*.swift; do
    # -emit-sil: the checks of ownership come after those of types.
    "$tools/swiftc" -emit-sil -o /dev/null -parse-as-library -swift-version 6 -warnings-as-errors -target "$target" \
        "${flags[@]}" "$example" || status=1
done

[ "$status" = 0 ] || exit "$status"
"$tools/docc" merge "$folder"/Texel*.doccarchive --synthesized-landing-page-name Texel \
    --synthesized-landing-page-kind Package --output-path "$folder/site"
echo "$(find "$folder"/Texel*.doccarchive/data -name '*.json' | wc -l) pages for ${modules[*]}, without warnings"
if [ $# -gt 1 ]; then
    echo "To read them, run: python3 -m http.server --directory $folder/site"
    echo "and open http://localhost:8000/documentation"
fi
