#!/bin/sh
# Sets the examples in man pages line by line: the generator leaves them to be filled like a paragraph.
#
#     Scripts/set-manual-examples.sh PAGE...
set -eu

for page in "$@"; do
    # They are what stands between the heading and the first empty line; a page without any begins with a list.
    awk '
        isFirst { isFirst = 0; if ($0 !~ /^\./) { print ".Bd -literal"; isInExamples = 1 } }
        isInExamples && $0 == "" { print ".Ed\n.Pp"; isInExamples = 0; next }
        isInExamples && /^\.Bl/ { print ".Ed"; isInExamples = 0 }
        { print }
        /^\.Sh DESCRIPTION/ { isFirst = 1 }
    ' "$page" > "$page.new"
    mv "$page.new" "$page"
done
