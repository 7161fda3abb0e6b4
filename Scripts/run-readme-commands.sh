#!/usr/bin/env bash
# Runs the commands of the README and of other pages: all `sh` blocks in order, in one directory and one shell.
#
# Usage: run-readme-commands.sh README.md DIRECTORY [PAGE...]
# `make test` is left out: the caller runs it, and the tests must not start themselves.
# First checks that the README's line for apt names every package that Package.swift does.
set -euo pipefail

readme=$1
directory=$2
pages=("${@:3}")

for package in $(sed -n 's/.*\.apt(\["\([^"]*\)"\]).*/\1/p' "$(dirname "$readme")/Package.swift"); do
    if ! grep -qE "^[^|]* $package( |$)" "$readme"; then
        echo "The README's line for apt lacks $package." >&2
        exit 1
    fi
done

commands=$(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$readme" "${pages[@]}" |
    grep -v '^make test')
cd "$directory"
echo "$commands" | grep -c . | sed 's/$/ command lines of the documentation follow/'
bash -euxo pipefail -c "$commands"
