# Milliseconds the compositor needs for a frame, on one thread and two: `bench/run render`. Builds the tests first.
echo "rendering: dissolve, tiles, conversions, rotations, blur"
(
    cd ..
    VCAP_BENCH_RENDER=1 swift test "${tests[@]}" \
        --filter RenderSpeedTests 2>&1 | grep -E 'ms a frame|error:|✘'
)
