# A camera (vivid) with a microphone (snd-aloop) that hears one long tone: an ordinary take, lost
# buffers, wrapping numbers and every error the driver can inject.
source "$(dirname "$0")/../guest/scenario.sh"

load_vivid 1
load_aloop
watch_buffers
camera=$(node_of vivid-000)
microphone=alsa:hw:Loopback,1,0
aplay -q -B 1000000 -D hw:Loopback,0,0 "$LAB_SHARE/tone.wav" &
player=$!
small=(-c "$camera" -a "$microphone" -s 320x180 --encoder-preset ultrafast)
say loaded

take plain 3000 "${small[@]}" -r 15

for percent in 1 10 50; do
    set_fault "$camera" percentage_of_dropped_buffers="$percent"
    begin "drop$percent" "${small[@]}" -r 30
    until_recorded "drop$percent" 2500
    # one in a hundred is rare: continue until the kernel has skipped one
    some_missing() { [ "$(missing_buffers)" -gt 0 ]; }
    wait_until 40 "a lost buffer" some_missing
    until_recorded "drop$percent" "$(($(recorded "drop$percent") / 1000 + 700))"
    stop "drop$percent"
    finish "drop$percent"
done
set_fault "$camera" percentage_of_dropped_buffers=0

# The driver begins 128 before the wrap.
set_fault "$camera" wrap_sequence_number=1
take sequence 5500 "${small[@]}" -r 30
set_fault "$camera" wrap_sequence_number=0

# inject NAME CONTROL: at one second of the take; before: NAME CONTROL, ahead of it.
inject() {
    begin "$1" "${small[@]}" -r 15
    until_recorded "$1" 1000
    set_fault "$camera" "$2=1"
    until_recorded "$1" 3000
    stop "$1"
    finish "$1"
}
before() {
    set_fault "$camera" "$2=1"
    take "$1" 1500 "${small[@]}" -r 15
}
inject damaged inject_v4l2_buf_flag_error
inject qbuf inject_vidioc_qbuf_error
inject fatal inject_fatal_streaming_error
before reqbufs inject_vidioc_reqbufs_error
before streamon inject_vidioc_streamon_error
kill "$player" || true
