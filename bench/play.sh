# How long a player's wishes take (seeks, scrubbing, the first frame), and whether it plays in real time. Builds the tests
# first.
echo "playing: first frame, seeks and scrubbing in 1080p, a film with a dissolve and a title"
(
    cd ..
    VCAP_BENCH_PLAY=1 swift test -c release --scratch-path .build/tests -Xswiftc -enable-testing \
        --filter PlayerSpeedTests 2>&1 | grep -E '^play|error:|✘'
)
