#!/usr/bin/env bash
# Formats the Swift sources; with --check it only tells, and fails where something would change.
set -euo pipefail
cd "$(dirname "$0")/.."

paths=(Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks Fuzz/Sources
    Examples/*/Package.swift Examples/*/Sources)
if [ "${1:-}" = --check ]; then
    exec swift format lint --strict --recursive "${paths[@]}"
fi
exec swift format --in-place --recursive "${paths[@]}"
