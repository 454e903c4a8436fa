# Cables pulled while recording: the camera loses its connection, its driver goes and comes back,
# and the microphone goes and comes back. The other track must continue.
source "$(dirname "$0")/../guest/scenario.sh"

load_vivid 1
load_aloop
watch_buffers
camera=$(node_of vivid-000)
microphone=alsa:hw:Loopback,1,0
play() {
    # plughw: after the card is back the recorder may be first to say which format it runs at
    aplay -q -B 1000000 -D plughw:Loopback,0,0 "$LAB_SHARE/tone.wav" &
    player=$!
}
play
small=(-a "$microphone" -s 320x180 -r 15 --encoder-preset ultrafast)
say loaded

begin disconnect -c "$camera" "${small[@]}"
until_recorded disconnect 1500
set_fault "$camera" disconnect=1
until_recorded disconnect 4500
stop disconnect
finish disconnect

begin unbind -c "$camera" "${small[@]}"
until_recorded unbind 1500
unplug_vivid 0
say "unbound"
until_recorded unbind 3500
plug_vivid 0
udevadm settle
say "bound as $(node_of vivid-000)"
until_recorded unbind 6000
stop unbind
finish unbind

begin microphone -c "$(node_of vivid-000)" "${small[@]}"
until_recorded microphone 1500
kill "$player" || true
unplug_aloop
say "sound card unbound"
until_recorded microphone 3500
plug_aloop
udevadm settle
play
say "sound card bound"
is_playing() { grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status; }
wait_until 30 "sound" is_playing
until_recorded microphone "$(($(recorded microphone) / 1000 + 2000))"
stop microphone
finish microphone
kill "$player" || true
