#!/bin/bash
# Stop to closed file for an hour of samples (108,000 video frames, 168,751 audio samples), on a real file with its fdatasyncs:
# five runs of the test that asserts 300 ms, sorted. TMPDIR chooses the disk.
#   bench/finish.sh
set -eu
cd "$(dirname "$0")/.."
build=(-c release --scratch-path .build/tests -Xswiftc -enable-testing -Xswiftc -warnings-as-errors)
swift build "${build[@]}" --build-tests
for _ in 1 2 3 4 5; do
    swift test "${build[@]}" --skip-build --filter 'ScaleTests/hour' 2>&1 | grep 'stop to closed'
done | sort
