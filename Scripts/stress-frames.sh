#!/usr/bin/env bash
# Runs the frames' stress tests under the thread sanitizer, for SECONDS each (120 if not given). The build has a place of
# its own, so that the plain one is not lost.
set -euo pipefail
cd "$(dirname "$0")/.."

export TEXEL_STRESS_SECONDS=${1:-120}
# The first race ends the run.
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 ${TSAN_OPTIONS:-}"
# Those that start ffmpeg are left out: swift-subprocess locks with Swift's own mutex, which the sanitizer does not see.
swift test --sanitize=thread --scratch-path .build-tsan --filter '^TexelFramesTests\.' --skip FFmpegSource
