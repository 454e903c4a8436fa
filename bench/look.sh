# A film of 30 s of 1080p30 with a look, picture in picture and two titles: three clips through a lookup table of 33 points,
# a fourth one small over them, without audio of its own; x264 veryfast CRF 20. Peer: ffmpeg's filter graph for the same.
. ./film-clips.sh
python3 - "$film/look.cube" <<'PYTHON'
import sys
size = 33
with open(sys.argv[1], "w") as file:
    file.write(f"LUT_3D_SIZE {size}\n")
    for index in range(size**3):
        red, green, blue = (index // size**axis % size / (size - 1) for axis in range(3))
        file.write(f"{red * red * (3 - 2 * red):.6f} {green:.6f} {0.05 + 0.9 * blue * (1 - 0.2 * red):.6f}\n")
PYTHON
cat >"$film/look.vcap.json5" <<'JSON'
{
    videos: [
        { file: "clip1.mp4", grade: { lut: "look.cube" } },
        { file: "clip2.mp4", grade: { lut: "look.cube" } },
        { file: "clip5.mp4", grade: { lut: "look.cube" } },
    ],
    overlays: [{ file: "clip3.mp4", at: 5, audio: [], place: { anchor: "top-right", width: 0.25, margin: 0.04 } }],
    titles: [
        { text: "Hello Title", duration: "3s", style: "fade" },
        { text: "The End", at: 26, duration: "3s", style: "fade" },
    ],
}
JSON
fade="alpha='if(lt(t-T,0.6),(t-T)/0.6,if(lt(t-T,2.4),1,(3+T-t)/0.6))':enable='between(t,T,T+3)'"
text="fontsize=96:fontcolor=white:x=(w-tw)/2:y=h*0.65"
cat >"$film/look.txt" <<GRAPH
[0:v][0:a][1:v][1:a][2:v][2:a]concat=n=3:v=1:a=1[v0][a];
[v0]format=gbrp,lut3d=look.cube,format=yuv420p[graded];
[3:v]scale=480:270,setpts=PTS+5/TB[small];
[graded][small]overlay=x=W-w-43:y=43:eof_action=pass,
drawtext=text='Hello Title':$text:${fade//T/0},drawtext=text='The End':$text:${fade//T/26},format=yuv420p[v]
GRAPH

echo "composing 30 s of 1920x1080 at 30 fps with a lookup table, picture in picture and two titles, median of $runs runs"
cd "$film"
: >look-vcap.times && : >look-ffmpeg.times
for run in $(seq "$runs"); do
    measure "$film/look-vcap.times" "$vcap" export --copy never -q -y look.vcap.json5 $coding -o look-vcap.mp4
    measure "$film/look-ffmpeg.times" ffmpeg -v error -y -i clip1.mp4 -i clip2.mp4 -i clip5.mp4 -i clip3.mp4 \
        -filter_complex_script look.txt -map '[v]' -map '[a]' $x264 look-ffmpeg.mp4
done
cd - >/dev/null
for name in vcap ffmpeg; do
    printf '  %-8s wall %6.1f s, CPU %6.1f s, peak %5.0f MB\n' "$name" "$(median "$film/look-$name.times" '$3')" \
        "$(median "$film/look-$name.times" '$1 + $2')" "$(median "$film/look-$name.times" '$4 / 1000')"
done
share() { awk "BEGIN { printf \"%.2f\", $(median "$film/look-vcap.times" "$1") / $(median "$film/look-ffmpeg.times" "$1") }"; }
verdict "wall, of ffmpeg's" "$(share '$3')" 0.80 ""
verdict "peak memory, of ffmpeg's" "$(share '$4')" 0.90 ""
frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$film/look-vcap.mp4" | tr -d ,)
verdict "frames more or less than 900" "$(( frames > 900 ? frames - 900 : 900 - frames ))" 0 ""
