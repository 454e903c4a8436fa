# Converting 500 JPEGs of 12 megapixels to 1080p H.264, and a GIF of 500 pictures; x264 veryfast CRF 20, against ffmpeg with the same settings.
shots=$work/shots
mkdir -p "$shots"
if [ ! -f "$shots/loop.gif" ]; then
    # fifty pictures, shown forwards and backwards five times; as large as cameras make them
    ffmpeg -v error -y -f lavfi -i "mandelbrot=s=4000x3000:r=25:end_scale=0.01,noise=alls=6:allf=t" -frames:v 50 -q:v 2 \
        -pix_fmt yuvj420p "$shots/made%03d.jpg"
    for number in $(seq 0 499); do
        place=$((number % 100))
        [ "$place" -lt 50 ] || place=$((99 - place))
        ln -f "$(printf '%s/made%03d.jpg' "$shots" $((place + 1)))" "$(printf '%s/shot%03d.jpg' "$shots" $((number + 1)))"
    done
    ffmpeg -v error -y -f lavfi -i "testsrc2=s=640x480:r=25:d=20,split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none" \
        -frames:v 500 "$shots/loop.gif"
fi
x264="-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p"
same="--codec h264 --encoder-preset veryfast --crf 20"

echo "converting 500 JPEGs of 4000x3000 and a GIF of 500 pictures of 640x480, median of $runs runs"
cd "$shots"
for name in vcap-shots ffmpeg-shots vcap-gif ffmpeg-gif; do : >"$name.times"; done
for run in $(seq "$runs"); do
    measure "$shots/ffmpeg-shots.times" ffmpeg -v error -y -framerate 25 -i shot%03d.jpg -vf scale=1440:1080 $x264 ffmpeg.mp4
    measure "$shots/vcap-shots.times" "$vcap" convert -q -y 'shot*.jpg' --fps 25 -s 1440x1080 $same -o vcap.mp4
    measure "$shots/ffmpeg-gif.times" ffmpeg -v error -y -i loop.gif $x264 ffmpeg-gif.mp4
    measure "$shots/vcap-gif.times" "$vcap" convert -q -y loop.gif $same -o vcap-gif.mp4
done
cd - >/dev/null
for what in shots gif; do
    for name in vcap ffmpeg; do
        printf '  %-5s %-8s wall %6.1f s, CPU %6.1f s, peak %5.0f MB\n' "$what" "$name" "$(median "$shots/$name-$what.times" '$3')" \
            "$(median "$shots/$name-$what.times" '$1 + $2')" "$(median "$shots/$name-$what.times" '$4 * 1024 / 1000000')"
    done
    verdict "$what: wall, of ffmpeg's" \
        "$(awk "BEGIN { printf \"%.2f\", $(median "$shots/vcap-$what.times" '$3') / $(median "$shots/ffmpeg-$what.times" '$3') }")" 0.70 ""
    verdict "$what: peak memory" "$(median "$shots/vcap-$what.times" '$4 * 1024 / 1000000')" 250 " MB"
done
for file in vcap vcap-gif; do
    frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$shots/$file.mp4" | tr -d ,)
    verdict "$file: pictures more or less than 500" "$((frames > 500 ? frames - 500 : 500 - frames))" 0 ""
done
