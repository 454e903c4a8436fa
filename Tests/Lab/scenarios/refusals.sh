# Devices that are busy, forbidden or missing: what the built vcap answers to each. An attempt NAME
# leaves NAME.status and NAME.said; the processes that hold a device, NAME.pid.
source "$(dirname "$0")/../guest/scenario.sh"

load_vivid 1
load_aloop pcm_substreams=1
camera=$(node_of vivid-000)
microphone=alsa:hw:Loopback,1,0
# the build's folder need not be open to everyone
install -m 755 "$vcap" /tmp/vcap
mkdir -m 700 /tmp/out
chown 65534:65534 /tmp/out

# attempt NAME COMMAND…
attempt() {
    local name=$1 status=0
    shift
    "$@" > /dev/null 2> "$LAB_SHARE/$name.said" < /dev/null || status=$?
    echo "$status" > "$LAB_SHARE/$name.status"
    say "$name: $status"
}

# stranger GROUPS COMMAND…: an ordinary user who is in these groups only (or in none: "").
stranger() {
    local groups=(--clear-groups)
    [ -z "$1" ] || groups=(--groups "$1")
    shift
    setpriv --reuid=65534 --regid=65534 "${groups[@]}" env HOME=/tmp/out XDG_RUNTIME_DIR=/tmp/out "$@"
}

small=(-s 320x180 --encoder-preset ultrafast -t 300ms)
picture=(/tmp/vcap record -c "$camera" -a none "${small[@]}" -o)
sound=(/tmp/vcap record -c none -a "$microphone" -t 300ms -o)

attempt camera-forbidden stranger "" "${picture[@]}" /tmp/out/camera-forbidden.mp4
attempt controls-forbidden stranger "" /tmp/vcap controls -c "$camera"
attempt sound-forbidden stranger "" "${sound[@]}" /tmp/out/sound-forbidden.mp4
attempt camera-missing /tmp/vcap record -c /dev/video7 -a none -o /tmp/out/camera-missing.mp4
attempt sound-missing /tmp/vcap record -c none -a alsa:hw:7,0 -o /tmp/out/sound-missing.mp4

v4l2-ctl --device "$camera" --stream-mmap --stream-count=0 > /tmp/streaming 2>&1 &
holder=$!
echo "$holder" > "$LAB_SHARE/camera-busy.pid"
wait_until 20 "a program that holds the camera" test -s /tmp/streaming
attempt camera-busy "${picture[@]}" /tmp/out/camera-busy.mp4
attempt camera-busy-unseen stranger video "${picture[@]}" /tmp/out/camera-busy-unseen.mp4
kill "$holder"
wait "$holder" || true

arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 /dev/null &
holder=$!
echo "$holder" > "$LAB_SHARE/sound-busy.pid"
is_held() { grep -q owner_pid /proc/asound/Loopback/pcm1c/sub0/status; }
wait_until 20 "a program that holds the sound card" is_held
attempt sound-busy "${sound[@]}" /tmp/out/sound-busy.mp4
kill "$holder"
wait "$holder" || true
find /tmp/out -name "*.mp4" -o -name "*.vcap.json" > "$LAB_SHARE/left"

# the controls: nothing held, and an ordinary user who is in the groups
aplay -q -B 1000000 -D hw:Loopback,0,0 -f S16_LE -r 48000 -c 2 /dev/zero &
player=$!
attempt camera-free "${picture[@]}" /tmp/out/camera-free.mp4
attempt both-in-groups stranger video,audio /tmp/vcap record -c "$camera" -a "$microphone" \
    "${small[@]}" -o /tmp/out/both-in-groups.mp4
kill "$player" || true
