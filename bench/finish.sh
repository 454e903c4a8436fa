#!/bin/bash
# Stop to closed file for an hour of samples (108,000 video frames, 168,751 audio samples), on a real file with its fdatasyncs:
# five runs of a test that counts its writes, sorted; fails when the median is beyond 300 ms. TMPDIR chooses the disk.
#   bench/finish.sh
set -eu
cd "$(dirname "$0")/.."
build=(-c release --scratch-path .build/tests -Xswiftc -enable-testing -Xswiftc -warnings-as-errors)
swift build "${build[@]}" --build-tests
runs=$(for _ in 1 2 3 4 5; do
    swift test "${build[@]}" --skip-build --filter 'ScaleTests/hour' 2>&1 | grep 'stop to closed'
done | sort)
echo "$runs"
awk 'NR == 3 { median = $(NF - 1) } END { if (NR < 5 || median > 0.3) { print "finish: more than 300 ms, or fewer than five runs"; exit 1 } }' <<< "$runs"
