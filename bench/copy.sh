# Recording an MJPEG camera without re-encoding: a camera whose frames were encoded beforehand.
echo "MJPEG copy 1280x720 at 30 fps, $length s, median of $runs runs"
[ -f "$work/camera.mkv" ] || ffmpeg -v error -y -f lavfi -i "testsrc2=s=1280x720:r=30" -t 10 -c:v mjpeg -q:v 4 "$work/camera.mkv"
: >"$work/copy-vcap"
for run in $(seq "$runs"); do
    measure "$work/copy-vcap" "$vcap" record -y -c "file:$work/camera.mkv" -a none --codec copy -t "$length" --keys none -o "$work/copy.mp4"
done
verdict "CPU of one core" "$(median "$work/copy-vcap" '100 * ($1 + $2) / $3')" 3 " %"
