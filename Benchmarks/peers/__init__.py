"""Texel and its peers side by side: `make bench` runs this, docs/benchmarking.md says what and how it measures."""
