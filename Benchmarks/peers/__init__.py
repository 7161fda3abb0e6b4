"""Compares Texel with other programs and libraries. Run by `make bench`; docs/benchmarking.md describes the method."""
