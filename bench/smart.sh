# Films of which most frames are copied. The 46 s of film.sh, of which 7 s are touched (four transitions and a title), beside a plain
# transcode, ffmpeg's filter graph and the same film with all frames encoded; and an hour of 1080p with a title of 5 s, beside
# copying its bytes.
. ./film-clips.sh
[ -f "$film/film.vcap.json5" ] || { echo "run the bench film first: it makes the project and the graph"; exit 1; }
if [ ! -f "$film/hour.mp4" ]; then
    ffmpeg -v error -y -i "$film/clip3.mp4" -an -c copy "$film/silent3.mp4"
    ffmpeg -v error -y -stream_loop 359 -i "$film/silent3.mp4" -f lavfi -i sine=f=660:d=3600:r=48000 -map 0:v -map 1:a \
        -c:v copy -c:a aac -ac 2 -shortest "$film/hour.mp4"
fi

echo "composing 46 s of 1920x1080 at 30 fps of which 7 s are touched, and an hour with a title of 5 s, median of $runs runs"
cd "$film"
for name in plain smart all graph hour copy; do : >"smart-$name.times"; done
for run in $(seq "$runs"); do
    measure "$film/smart-plain.times" ffmpeg -v error -y -f concat -safe 0 -i list.txt $x264 plain.mp4
    measure "$film/smart-smart.times" "$vcap" export -q -y film.vcap.json5 --preset 1080p -o smart.mp4
    measure "$film/smart-all.times" "$vcap" export --copy never -q -y film.vcap.json5 $coding -o vcap.mp4
    measure "$film/smart-graph.times" ffmpeg -v error -y -i clip1.mp4 -i clip2.mp4 -i clip3.mp4 -i clip4.mp4 -i clip5.mp4 \
        -i music.m4a -filter_complex_script graph.txt -map '[v]' -map '[ao]' $x264 ffmpeg.mp4
    measure "$film/smart-hour.times" "$vcap" compose -q -y hour.mp4 --title Optics --title-duration 5s -o titled.mp4
    measure "$film/smart-copy.times" cp hour.mp4 copied.mp4
    rm -f copied.mp4
done
cd - >/dev/null
for name in plain smart all graph hour copy; do
    printf '  %-8s wall %6.1f s, CPU %6.1f s, peak %5.0f MB\n' "$name" "$(median "$film/smart-$name.times" '$3')" \
        "$(median "$film/smart-$name.times" '$1 + $2')" "$(median "$film/smart-$name.times" '$4 / 1000')"
done
share() { awk "BEGIN { printf \"%.2f\", $(median "$film/smart-$1.times" '$3') / $(median "$film/smart-$2.times" '$3') }"; }
echo "  wall of the film with all frames encoded: $(share all smart) of the smart one's"
verdict "wall, of the plain transcode's (7 s of 46: 0.15)" "$(share smart plain)" 0.40 ""
verdict "wall, of ffmpeg's graph" "$(share smart graph)" 0.30 ""
verdict "peak memory" "$(median "$film/smart-smart.times" '$4 * 1024 / 1000000')" 300 " MB"
verdict "wall of an hour with a title, of copying its bytes" "$(share hour copy)" 3 ""
for pair in "smart.mp4 1380" "titled.mp4 108000"; do
    set -- $pair
    frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$film/$1" | tr -d ,)
    verdict "frames of $1 more or less than $2" "$(( frames > $2 ? frames - $2 : $2 - frames ))" 0 ""
done
