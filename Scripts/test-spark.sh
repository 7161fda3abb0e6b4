#!/usr/bin/env bash
# Runs the Spark example on a cluster of two workers on this machine, with the program PROGRAM. Installs Java from
# Debian, if there is none, and PySpark from PyPI below .build-spark.
#
# Usage: test-spark.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v java >/dev/null; then
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends default-jre-headless
fi

python=.build-spark/bin/python
[ -x "$python" ] || python3 -m venv .build-spark
"$python" -m pip install --quiet --requirement Examples/spark/requirements.txt

"$python" Examples/spark/test_compress_folder.py "$1"
