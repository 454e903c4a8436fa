# How far what is seen is from what is heard, vcap beside mpv: the screen's memory of an X server (Xvfb) against a sink of a
# private sound server. Builds the tests first. VCAP_BENCH_SYNC: seconds of a run (60), VCAP_BENCH_WISHES: seeks, pauses
# and changes of speed (20).
echo "playing in step: steadily, after wishes, beside two busy processes"
(
    cd ..
    VCAP_BENCH_SYNC=${VCAP_BENCH_SYNC:-60} swift test "${tests[@]}" \
        --filter PlaySyncTests 2>&1 | grep -E '^sync|error:|✘'
)
