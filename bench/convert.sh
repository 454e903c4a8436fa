# Converting 500 JPEGs of 12 megapixels to 1080p H.264, and GIFs of 500 frames, a screen recording and a film; x264 veryfast CRF 20, against ffmpeg with the same settings.
# `x264 alone` is ffmpeg with frames that are decoded and converted beforehand: nothing that uses x264 can be faster on this machine.
shots=$work/shots
mkdir -p "$shots"
if [ ! -f "$shots/made.2" ]; then
    # fifty pictures of about 2 MB, which is little for a camera, shown forwards and backwards five times
    ffmpeg -v error -y -f lavfi -i "mandelbrot=s=4000x3000:r=25:end_scale=0.01,noise=alls=8:allf=t" -frames:v 50 -q:v 2 \
        -pix_fmt yuvj420p "$shots/made%03d.jpg"
    for number in $(seq 0 499); do
        place=$((number % 100))
        [ "$place" -lt 50 ] || place=$((99 - place))
        ln -f "$(printf '%s/made%03d.jpg' "$shots" $((place + 1)))" "$(printf '%s/shot%03d.jpg' "$shots" $((number + 1)))"
    done
    palette="split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none"
    # motion everywhere: a tenth of the pixels differ from frame to frame, a quarter lie between two that do
    ffmpeg -v error -y -f lavfi -i "testsrc2=s=640x480:r=25:d=20,$palette" "$shots/film.gif"
    # a window of 160x120 moves over what stands still
    ffmpeg -v error -y -f lavfi -i "testsrc=s=1280x720:r=25:d=20,trim=end_frame=1,loop=499:1:0,setpts=N/25/TB" -f lavfi -i "testsrc2=s=160x120:r=25:d=20" \
        -filter_complex "[0][1]overlay=x='100+4*mod(n,200)':y='80+2*mod(n,150)',$palette" "$shots/screen.gif"
    touch "$shots/made.2"
fi
x264="-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p"
same="--codec h264 --encoder-preset veryfast --crf 20"

echo "converting 500 JPEGs of 4000x3000, a GIF of 500 frames of 1280x720 (screen) and one of 640x480 (film), median of $runs runs, five times each GIF"
cd "$shots"
for what in shots screen film; do
    for name in vcap ffmpeg x264; do : >"$name-$what.times"; done
done
for run in $(seq "$runs"); do
    measure ffmpeg-shots.times ffmpeg -v error -y -framerate 25 -i shot%03d.jpg -vf scale=1440:1080 $x264 ffmpeg-shots.mp4
    measure vcap-shots.times "$vcap" convert -q -y 'shot*.jpg' --fps 25 -s 1440x1080 $same -o vcap-shots.mp4
    for what in screen film; do
        size=$([ $what = screen ] && echo 1280x720 || echo 640x480)
        ffmpeg -v error -y -i $what.gif -pix_fmt yuv420p -f rawvideo raw
        # two seconds each: a single one is not significant
        for again in $(seq 5); do
            measure ffmpeg-$what.times ffmpeg -v error -y -i $what.gif $x264 ffmpeg-$what.mp4
            measure vcap-$what.times "$vcap" convert -q -y $what.gif $same -o vcap-$what.mp4
            measure x264-$what.times ffmpeg -v error -y -f rawvideo -s $size -pix_fmt yuv420p -r 25 -i raw $x264 x264-$what.mp4
        done
        rm raw
    done
done
for what in shots screen film; do
    for name in vcap ffmpeg x264; do
        [ -s $name-$what.times ] || continue
        printf '  %-6s %-10s wall %6.2f s, CPU %6.2f s, peak %5.0f MB\n' "$what" "${name/x264/x264 alone}" "$(median $name-$what.times '$3')" \
            "$(median $name-$what.times '$1 + $2')" "$(median $name-$what.times '$4 * 1024 / 1000000')"
    done
    verdict "$what: wall, of ffmpeg's" \
        "$(awk "BEGIN { printf \"%.2f\", $(median vcap-$what.times '$3') / $(median ffmpeg-$what.times '$3') }")" 0.70 ""
    verdict "$what: peak memory" "$(median vcap-$what.times '$4 * 1024 / 1000000')" 250 " MB"
    frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 vcap-$what.mp4 | tr -d ,)
    verdict "$what: pictures more or less than 500" "$((frames > 500 ? frames - 500 : 500 - frames))" 0 ""
done
cd - >/dev/null
