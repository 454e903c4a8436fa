# Two hours of 320x180 at 10 fps: 1,000 files of 8 s, every tenth with audio (AAC encodes at 14 times real time and would be all that
# is seen), a transition of 0.8 s from each to the next. A frame must cost in the last fifth of the export what it costs in the first,
# in time and in memory.
# LONG_CLIPS (1000) makes it shorter, to try the script.
long=$work/long
clips=${LONG_CLIPS:-1000}
if [ ! -f "$long/clip$clips.mp4" ]; then
    mkdir -p "$long"
    for number in 1 2 3 4 5 6 7 8 9 10; do
        sound=-an
        [ "$number" != 10 ] || sound="-c:a aac -b:a 48k -ac 1"
        ffmpeg -v error -y -f lavfi -i "gradients=s=320x180:r=10:speed=0.05:seed=$number" -f lavfi -i "sine=f=$((110 * number)):r=48000" \
            -t 8 -c:v libx264 -preset veryfast -g 10 -bf 0 -pix_fmt yuv420p $sound "$long/source$number.mp4" </dev/null
    done
    # files of their own: nothing of a source can be kept for the next clip
    for number in $(seq "$clips"); do cp "$long/source$((number % 10 + 1)).mp4" "$long/clip$number.mp4"; done
fi
transitions=(dissolve push-left wipe-up fade-black)
{
    echo '{ videos: [ "clip1.mp4",'
    for number in $(seq 2 "$clips"); do
        echo "{ file: \"clip$number.mp4\", transition: \"${transitions[number % 4]}:0.8s\" },"
    done
    echo '] }'
} >"$long/film.vcap.json5"

# watch PID PROGRESS: seconds, frames done, CPU ticks and resident KiB of a process, a few times a second
watch() {
    while [ -r "/proc/$1/stat" ]; do
        frame=$(tail -c 600 "$2" 2>/dev/null | sed -n 's/^frame=//p' | tail -n 1)
        read -r -a stat 2>/dev/null <"/proc/$1/stat" || break
        memory=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null)
        [ -z "${frame:-}" ] || [ -z "$memory" ] || echo "$EPOCHREALTIME $frame $((stat[13] + stat[14])) $memory"
        sleep 0.4
    done
}

wanted=$(awk "BEGIN { print 8 * $clips - 0.8 * ($clips - 1) }")
echo "composing $wanted s of $clips clips, 320x180 at 10 fps"
cd "$long"
: >progress
started=$EPOCHREALTIME
"$vcap" export --copy never -q -y film.vcap.json5 -o film.mp4 --progress progress --preset 720p </dev/null >"$work/stdout" 2>"$work/stderr" &
exporter=$!
watch "$exporter" progress >samples
wait "$exporter" || { cat "$work/stderr" >&2; exit 1; }
cd - >/dev/null

# each fifth of the export: ms and CPU ms for a frame, most memory (MB)
awk -v ticks="$(getconf CLK_TCK)" '
    { time[NR] = $1; frame[NR] = $2; processor[NR] = $3; memory[NR] = $4 }
    END {
        begin = 1
        for (part = 1; part <= 5; part++) {
            end = begin; most = 0
            while (end < NR && frame[end] < part * frame[NR] / 5) { if (memory[end] > most) most = memory[end]; end++ }
            if (part == 5 && memory[NR] > most) most = memory[NR]
            frames = frame[end] - frame[begin]
            printf "%.3f %.3f %.1f\n", 1000 * (time[end] - time[begin]) / frames,
                1000 / ticks * (processor[end] - processor[begin]) / frames, most * 1024 / 1000000
            begin = end
        }
    }' "$long/samples" >"$long/fifths"
awk '{ printf "  fifth %d: %7.2f ms a frame, %7.2f ms of CPU, %6.1f MB\n", NR, $1, $2, $3 }' "$long/fifths"
# last COLUMN: the last fifth's value, of the first's
last() { awk -v column="$1" '{ value[NR] = $column } END { printf "%.2f", value[5] / value[1] }' "$long/fifths"; }
first=$(head -n 1 "$long/samples")
verdict "time for a frame, last fifth to first" "$(last 1)" 1.15 ""
verdict "CPU for a frame, last fifth to first" "$(last 2)" 1.15 ""
verdict "memory, last fifth to first" "$(last 3)" 1.10 ""
verdict "seconds to the first sign of progress" "$(awk "BEGIN { printf \"%.2f\", ${first%% *} - $started }")" 2 " s"
seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$long/film.mp4")
verdict "seconds more or less than $wanted" "$(awk "BEGIN { d = $seconds - $wanted; printf \"%.2f\", d < 0 ? -d : d }")" 0.1 " s"
