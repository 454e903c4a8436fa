# Recording 720p30 with audio from the test devices, against ffmpeg fed the same frames and samples in real time with
# the same encoder settings. The settings are compared as x264 itself wrote them into both movies.
echo "recording 1280x720 at 30 fps, x264 veryfast, AAC, $length s, median of $runs runs"
source_movie=$work/source.mkv
if [ ! -f "$work/frames.yuv" ] || [ "$(stat -c %s "$work/frames.yuv")" != $((1280 * 720 * 3 / 2 * 30 * length)) ]; then
    "$vcap" record -q -y -c test: -a test: -s 720p -r 30 -t "$length" --codec ffv1 --audio-codec pcm --keys none -o "$source_movie"
    ffmpeg -v error -y -i "$source_movie" -map 0:v -pix_fmt yuv420p -f rawvideo "$work/frames.yuv"
    ffmpeg -v error -y -i "$source_movie" -map 0:a -f s16le -ar 48000 -ac 2 "$work/sound.pcm"
fi

x264_options() { strings -n 40 "$1" | grep -m1 -o 'cabac=.*' | tr ' ' '\n'; }

: >"$work/record-vcap"
: >"$work/record-ffmpeg"
for run in $(seq "$runs"); do
    measure "$work/record-vcap" "$vcap" record -y -c test: -a test: -s 720p -r 30 -t "$length" --encoder-preset veryfast --crf 23 \
        --audio-codec aac --keys none --strict -o "$work/vcap.mp4"
    if [ "$run" = 1 ]; then
        options=$(x264_options "$work/vcap.mp4")
        get() { printf '%s\n' "$options" | sed -n "s/^$1=//p" | head -1; }
    fi
    measure "$work/record-ffmpeg" ffmpeg -v error -y \
        -re -f rawvideo -pix_fmt yuv420p -s 1280x720 -r 30 -i "$work/frames.yuv" \
        -re -f s16le -ar 48000 -ac 2 -i "$work/sound.pcm" -t "$length" \
        -c:v libx264 -preset veryfast -crf 23 -bf "$(get bframes)" -threads "$(get threads)" \
        -x264-params "keyint=$(get keyint):scenecut=$(get scenecut):rc-lookahead=$(get rc_lookahead):keyint-min=$(get keyint_min):stitchable=$(get stitchable)" \
        -thread_type slice \
        -force_key_frames 'expr:gte(t,n_forced)' -forced-idr 1 \
        -c:a aac -movflags +frag_keyframe+empty_moov -frag_duration 500000 "$work/ffmpeg.mp4"
done
if ! diff <(x264_options "$work/vcap.mp4") <(x264_options "$work/ffmpeg.mp4") >"$work/x264.diff"; then
    echo "  MISSED: the two encoders' settings differ:" && sed 's/^/    /' "$work/x264.diff"
    status=1
fi
ours=$(median "$work/record-vcap" '$1 + $2')
theirs=$(median "$work/record-ffmpeg" '$1 + $2')
echo "  CPU seconds: vcap $ours, ffmpeg $theirs; peak MB: vcap $(median "$work/record-vcap" 'int($4 / 1024)'), ffmpeg $(median "$work/record-ffmpeg" 'int($4 / 1024)')"
verdict "CPU, of ffmpeg's" "$(awk "BEGIN { printf \"%.2f\", $ours / $theirs }")" 1.05 ""
verdict "peak memory" "$(median "$work/record-vcap" '$4 * 1024 / 1000000')" 150 " MB"
frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$work/vcap.mp4" | tr -d ,)
verdict "frames missing of $((30 * length))" $((30 * length - frames)) 0 ""
