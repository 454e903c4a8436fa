# The film of a take that is ready when the take ends: an hour of 1280x720 at 30 frames a second, fed into a growing file in
# 90 s, with a title of 4 s. From the take's end to the whole film, and what it took of a processor of that hour; beside the
# same film made afterwards, which it has to equal.
ready=$work/ready
mkdir -p "$ready"
cd "$ready"
if [ ! -f hour.mp4 ]; then
    ffmpeg -v error -y -f lavfi -i testsrc2=s=1280x720:r=30:d=10 -c:v libx264 -preset ultrafast -crf 28 -g 30 -bf 0 \
        -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 -video_track_timescale 30000 clip.mp4
    ffmpeg -v error -y -stream_loop 359 -i clip.mp4 -f lavfi -i sine=f=660:d=3600:r=48000 -map 0:v -map 1:a -c:v copy \
        -c:a aac -ac 2 -shortest -movflags frag_keyframe+empty_moov hour.mp4
fi

echo "an hour's take with a title, its film made while the take grows in 90 s"
rm -f take.mp4 take.film.mp4 after.mp4 ended ready.times after.times
: >take.mp4
size=$(stat -c %s hour.mp4)
mkfifo -m 600 recorder
exec 3<>recorder 4<take.mp4
# as a recorder holds it
flock -x 4
(
    exec 3>&- 4>&-
    /usr/bin/time -q -o ready.times -f '%U %S %e %M' "$vcap" prepare-film -q -- take.mp4 --then compose --title Optics \
        <recorder >stdout 2>stderr
    date +%s.%N >ended
) &
for part in $(seq 0 89); do
    dd if=hour.mp4 of=take.mp4 bs=1M iflag=skip_bytes,count_bytes oflag=append conv=notrunc status=none \
        skip=$((part * (size / 90 + 1))) count=$((size / 90 + 1))
    sleep 1
done
# a recorder's last looks are as close to its take's end
sleep 15
stopped=$(date +%s.%N)
exec 4>&-
echo >&3
wait
rm recorder
measure after.times "$vcap" compose -q take.mp4 --title Optics -o after.mp4
packets() { ffprobe -v error -show_entries packet=stream_index,pts,dts,flags,data_hash -show_data_hash md5 -of csv "$1" | sort | md5sum; }
if [ "$(packets take.film.mp4)" = "$(packets after.mp4)" ]; then different=0; else different=1; fi
cd - >/dev/null
printf '  beside the take: CPU %6.1f s, peak %5.0f MB; afterwards: wall %6.1f s, peak %5.0f MB\n' \
    "$(median "$ready/ready.times" '$1 + $2')" "$(median "$ready/ready.times" '$4 / 1000')" \
    "$(median "$ready/after.times" '$3')" "$(median "$ready/after.times" '$4 / 1000')"
verdict "from the take's end to the film" "$(awk "BEGIN { printf \"%.2f\", $(cat "$ready/ended") - $stopped }")" 2 " s"
verdict "of a processor, of the hour" "$(median "$ready/ready.times" '($1 + $2) / 36')" 15 " %"
verdict "packets of another film than that made afterwards" "$different" 0 ""
