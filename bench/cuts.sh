# Cuts that begin and end at any frame, of the kinds of clips that cameras and programs make: vcap, smartcut (of PyPI) and ffmpeg -c copy.
# Each frame shows its number as bits, so which frames a cut has is read from the pictures. A cut is right if it has the wanted ones,
# all of them, in their order, and nothing else.
cuts=$work/cuts
tries=${TRIES:-10}
peers=$PWD/../.build/peers
mkdir -p "$cuts"
[ -x "$peers/bin/smartcut" ] || { python3 -m venv "$peers" && "$peers/bin/pip" install -q --disable-pip-version-check smartcut==1.7; } ||
    { echo "smartcut could not be installed from PyPI"; exit 1; }

# 300 frames: sixteen bits on top, a picture that moves below
bits="geq=lum='if(lt(Y,32),if(mod(floor(N/pow(2,floor(X/20))),2),220,30),lum(X,Y))':cb='if(lt(Y,16),128,cb(X,Y))':cr='if(lt(Y,16),128,cr(X,Y))'"
[ -f "$cuts/source.mkv" ] || ffmpeg -v error -y -f lavfi -i testsrc2=s=320x240:r=30 -f lavfi -i sine=f=440:r=48000 -vf "$bits" \
    -frames:v 300 -t 10 -c:v ffv1 -c:a pcm_s16le "$cuts/source.mkv"
kinds=(
    "h264-closed.mp4 -c:v libx264 -g 60 -bf 2 -c:a aac"
    "h264-open.mp4 -c:v libx264 -g 60 -bf 3 -x264-params open-gop=1 -c:a aac"
    "h264-pyramid.mov -c:v libx264 -g 90 -bf 8 -x264-params b-pyramid=normal:b-adapt=0:weightp=2 -c:a aac"
    "h264-long.mp4 -c:v libx264 -g 300 -keyint_min 300 -sc_threshold 0 -bf 3 -c:a aac"
    "h264-slices.mkv -c:v libx264 -g 60 -slices 4 -bf 2 -c:a aac"
    "h264-all-intra.mp4 -c:v libx264 -g 1 -c:a aac"
    "hevc-closed.mp4 -c:v libx265 -x265-params keyint=60:open-gop=0:log-level=none -tag:v hvc1 -c:a aac"
    "hevc-open.mp4 -c:v libx265 -x265-params keyint=60:open-gop=1:bframes=4:log-level=none -tag:v hvc1 -c:a aac"
    "hevc-10bit.mp4 -pix_fmt yuv420p10le -c:v libx265 -x265-params keyint=60:log-level=none -tag:v hvc1 -c:a aac"
)
for kind in "${kinds[@]}"; do
    set -- $kind
    [ -f "$cuts/$1" ] || ffmpeg -v error -y -i "$cuts/source.mkv" -pix_fmt yuv420p "${@:2}" "$cuts/$1"
done

# numbers FILE: those of its frames, on a line
numbers() {
    ffmpeg -v error -i "$1" -map 0:v:0 -vf "crop=320:16:0:8,scale=16:1:flags=area,format=gray" -fps_mode passthrough -f rawvideo - 2> /dev/null |
        od -An -v -tu1 -w16 | awk '{ n = 0; for (i = 16; i > 0; i--) n = 2 * n + ($i > 125); printf "%d ", n }'
}

# attempt NAME COMMAND…: as measure, of a program that may fail
attempt() {
    local out=$cuts/$1.times
    shift
    /usr/bin/time -q -a -o "$out" -f '%U %S %e %M' "$@" < /dev/null > "$work/stdout" 2> "$work/stderr" || true
}

echo "cuts of 300 frames at random frames, right ones of $tries, and wall time of all"
printf '  %-20s %8s %8s %8s\n' "" vcap smartcut "ffmpeg -c copy"
: >"$cuts/vcap.times" && : >"$cuts/smartcut.times" && : >"$cuts/ffmpeg.times"
wrong=0
for kind in "${kinds[@]}"; do
    set -- $kind
    clip=$1
    ending=${clip##*.}
    declare -A right=([vcap]=0 [smartcut]=0 [ffmpeg]=0)
    for try in $(seq "$tries"); do
        # the same ones with each run
        read -r first last < <(awk -v seed="$((try * 7919))" 'BEGIN { srand(seed); a = int(rand() * 200); print a, a + 30 + int(rand() * (270 - a)) }')
        [ "$last" -le 300 ] || last=300
        wanted=$(seq -s ' ' "$first" $((last - 1)))" "
        from=$(awk "BEGIN { printf \"%.6f\", $first / 30 }")
        to=$(awk "BEGIN { printf \"%.6f\", $last / 30 }")
        rm -f "$cuts"/out-*
        attempt vcap "$vcap" compose -q -y "$cuts/$clip@${from}s..${to}s" -o "$cuts/out-vcap.$ending"
        attempt smartcut "$peers/bin/smartcut" --frames --keep "$first,$((last - 1))" "$cuts/$clip" "$cuts/out-smartcut.$ending"
        attempt ffmpeg ffmpeg -v error -y -ss "$from" -to "$to" -i "$cuts/$clip" -c copy "$cuts/out-ffmpeg.$ending"
        for name in vcap smartcut ffmpeg; do
            if [ "$(numbers "$cuts/out-$name.$ending")" = "$wanted" ]; then right[$name]=$((right[$name] + 1)); fi
        done
    done
    printf '  %-20s %8s %8s %8s\n' "$clip" "${right[vcap]}" "${right[smartcut]}" "${right[ffmpeg]}"
    wrong=$((wrong + tries - right[vcap]))
done
for name in vcap smartcut ffmpeg; do
    printf '  %-20s wall %6.1f s, CPU %6.1f s\n' "$name" "$(awk '{ sum += $3 } END { print sum }' "$cuts/$name.times")" \
        "$(awk '{ sum += $1 + $2 } END { print sum }' "$cuts/$name.times")"
done
verdict "cuts of vcap that are not right" "$wrong" 0 ""
