# Composing 46 s of 1080p30: five clips of 10 s, four transitions of 1 s, a title, music under it; x264 veryfast CRF 20.
# Peers: ffmpeg's filter graph and melt making the same film (melt without title and music), and the floor: ffmpeg decoding and
# encoding the same number of frames with nothing composed. All at the same rate factor, key-frame distance and threads.
# (look.sh is the second film: picture in picture, a LUT and two titles.)
. ./film-clips.sh
for number in 1 2 3 4 5; do
    printf "file 'clip%s.mp4'\ninpoint 0\n" "$number"
    [ "$number" = 5 ] || echo "outpoint 9"
done >"$film/list.txt"

cat >"$film/film.vcap.json5" <<'JSON'
{
    videos: [
        "clip1.mp4",
        { file: "clip2.mp4", transition: "dissolve:1s" },
        { file: "clip3.mp4", transition: "push-left:1s" },
        { file: "clip4.mp4", transition: "wipe-up:1s" },
        { file: "clip5.mp4", transition: "dissolve:1s" },
    ],
    titles: [{ text: "Hello Title", duration: "3s", style: "fade" }],
    music: [{ file: "music.m4a", volume: 0.3 }],
}
JSON
cat >"$film/graph.txt" <<'GRAPH'
[0:v][1:v]xfade=transition=fade:duration=1:offset=9[a]; [a][2:v]xfade=transition=slideleft:duration=1:offset=18[b];
[b][3:v]xfade=transition=wipeup:duration=1:offset=27[c]; [c][4:v]xfade=transition=fade:duration=1:offset=36,
drawtext=text='Hello Title':fontsize=96:fontcolor=white:x=(w-tw)/2:y=h*0.65:alpha='if(lt(t,0.6),t/0.6,if(lt(t,2.4),1,(3-t)/0.6))':enable='lt(t,3)',format=yuv420p[v];
[0:a][1:a]acrossfade=d=1[aa]; [aa][2:a]acrossfade=d=1[ab]; [ab][3:a]acrossfade=d=1[ac]; [ac][4:a]acrossfade=d=1[ad];
[5:a]volume=0.3[m]; [ad][m]amix=inputs=2:duration=first[ao]
GRAPH

echo "composing 46 s of 1920x1080 at 30 fps, 5 clips, 4 transitions, a title and music, median of $runs runs"
cd "$film"
for name in plain vcap ffmpeg melt; do : >"$name.times"; done
for run in $(seq "$runs"); do
    measure "$film/plain.times" ffmpeg -v error -y -f concat -safe 0 -i list.txt $x264 plain.mp4
    measure "$film/vcap.times" "$vcap" export --copy never -q -y film.vcap.json5 $coding -o vcap.mp4
    measure "$film/ffmpeg.times" ffmpeg -v error -y -i clip1.mp4 -i clip2.mp4 -i clip3.mp4 -i clip4.mp4 -i clip5.mp4 -i music.m4a \
        -filter_complex_script graph.txt -map '[v]' -map '[ao]' $x264 ffmpeg.mp4
    measure "$film/melt.times" env QT_QPA_PLATFORM=offscreen melt -silent clip1.mp4 out=299 \
        clip2.mp4 out=299 -mix 30 -mixer luma clip3.mp4 out=299 -mix 30 -mixer luma \
        clip4.mp4 out=299 -mix 30 -mixer luma clip5.mp4 out=299 -mix 30 -mixer luma -profile atsc_1080p_30 \
        -consumer avformat:melt.mp4 vcodec=libx264 preset=veryfast crf=20 acodec=aac g=60 real_time=-2 threads=$threads
done
cd - >/dev/null
for name in plain vcap ffmpeg melt; do
    printf '  %-8s wall %6.1f s, CPU %6.1f s, peak %5.0f MB\n' "$name" "$(median "$film/$name.times" '$3')" \
        "$(median "$film/$name.times" '$1 + $2')" "$(median "$film/$name.times" '$4 / 1000')"
done
floor=$(median "$film/plain.times" '$3')
ratio() { awk "BEGIN { printf \"%.2f\", $(median "$film/$1.times" '$3') / $floor }"; }
echo "  wall, of the plain transcode's: ffmpeg $(ratio ffmpeg), melt $(ratio melt)"
verdict "wall, of the plain transcode's" "$(ratio vcap)" 1.10 ""
verdict "peak memory" "$(median "$film/vcap.times" '$4 * 1024 / 1000000')" 300 " MB"
frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$film/vcap.mp4" | tr -d ,)
verdict "frames more or less than 1380" "$(( frames > 1380 ? frames - 1380 : 1380 - frames ))" 0 ""
