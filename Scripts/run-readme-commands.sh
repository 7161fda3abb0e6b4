#!/usr/bin/env bash
# Runs every command in README.md's `sh` blocks, in their order, in one directory and one shell.
#
# Usage: run-readme-commands.sh README.md DIRECTORY
# `make test` is left out: the caller runs it, and a test runner inside this script would end in a circle.
set -euo pipefail

readme=$1
cd "$2"
commands=$(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$readme" | grep -v '^make test')
echo "$commands" | grep -c . | sed 's/$/ command lines of the README follow/'
bash -euxo pipefail -c "$commands"
