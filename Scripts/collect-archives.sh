#!/usr/bin/env bash
# Collects archives of system libraries in a folder, so that the program contains these libraries instead of loading
# them at every start. Libraries without an archive stay shared, and so do those of the C library.
#
# The folder gets a linker script for each library, in place of an archive: the library with what it depends on. Each
# package of pkg-config gets a file that names the folder first, because linkers prefer what they find first.
#
# Usage: collect-archives.sh FOLDER [LIBRARY]...
#   LIBRARY  as the linker knows it, with the name that pkg-config knows if it has one: z png:libpng
set -euo pipefail

folder=$1
shift
mkdir -p "$folder"
rm -f "$folder"/*.a "$folder"/*.pc

# The archives of libraries, given as options of the linker; fails if one has none.
archives() {
    local option path
    for option in "$@"; do
        case $option in -lm | -lpthread | -lc | -ldl) continue ;; esac
        path=$(clang -print-file-name="lib${option#-l}.a")
        [ -f "$path" ] || return 1
        echo "$path"
    done
}

for library in "$@"; do
    name=${library%%:*}
    package=
    names=$name
    options=-l$name
    if [[ $library == *:* ]]; then
        package=${library##*:}
        # Without all of its packages a library stays shared.
        options=$(pkg-config --static --libs-only-l "$package") || continue
        # Packages may name the library differently, as -lpng16.
        names="$name $(pkg-config --libs-only-l "$package" | sed 's/-l//g')"
    fi
    if found=$(archives $options); then
        for each in $names; do
            echo "GROUP ( $(sort -u <<<"$found" | tr '\n' ' '))" >"$folder/lib$each.a"
        done
    fi
    if [ -n "$package" ]; then
        cat >"$folder/$package.pc" <<PC
Name: $package
Description: $package in the program
Version: $(pkg-config --modversion "$package")
Cflags: $(pkg-config --cflags "$package")
Libs: -L$folder $(pkg-config --libs-only-l "$package")
PC
    fi
done
