# How long a player's wishes take (seeks, scrubbing, the first frame), mpv's exact seeks beside them, and whether it plays in
# real time. Builds the tests first.
echo "playing: first frame, seeks and scrubbing in 1080p, a film with a dissolve and a title"
(
    # a camera's GOP of a second without B-frames, a download's of ten with them
    for kind in "camera-30 30 -bf 0" "film-300 300"; do
        read -r name gop more <<< "$kind"
        [ -e "$work/$name.mp4" ] || ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=1920x1080:r=30:d=30,noise=alls=12:allf=t" \
            -f lavfi -i "sine=440:d=30" -c:v libx264 -preset veryfast -b:v 8M -maxrate 10M -bufsize 16M -g "$gop" $more \
            -pix_fmt yuv420p -c:a aac "$work/$name.mp4"
        python3 mpv-seek.py "$work/$name.mp4" 900 30 200
    done
    # and takes of the test camera, as vcap codes them: with a GOP of a second, and of ten
    for kind in "take-30 1s" "take-300 10s"; do
        read -r name gop <<< "$kind"
        [ -e "$work/$name.mp4" ] || "$vcap" record -q -c test:size=1920x1080,fps=30 -a test: -t 30 -g "$gop" --keys none \
            --pressure off -o "$work/$name.mp4" > /dev/null
        python3 mpv-seek.py "$work/$name.mp4" 900 30 200
    done
    cd ..
    VCAP_BENCH_PLAY=$work swift test "${tests[@]}" \
        --filter PlayerSpeedTests 2>&1 | grep -E '^play|error:|✘'
)
