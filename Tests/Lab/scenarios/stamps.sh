# Two cameras, one multi-planar, whose stamps are not on the monotonic clock and wrap around after
# 16 s: one at 64 bits, one at 32. Both in one take, with a microphone.
source "$(dirname "$0")/../guest/scenario.sh"

load_vivid 2 multiplanar=1,2
load_aloop
watch_buffers
first=$(node_of vivid-000)
second=$(node_of vivid-001)
aplay -q -B 1000000 -D hw:Loopback,0,0 "$LAB_SHARE/tone.wav" &
player=$!
set_fault "$first" wrap_timestamp=1
set_fault "$second" wrap_timestamp=2
say loaded
take stamps 18500 -c "$first" -c "$second" -a alsa:hw:Loopback,1,0 \
    -s 320x180 -r 10 --encoder-preset ultrafast
kill "$player" || true
