# A capture card with an HDMI input (vivid): its signal is lost and comes back, its timings change,
# and it has none to begin with; then one with an antenna. The sound continues meanwhile.
source "$(dirname "$0")/../guest/scenario.sh"

load_vivid 1 input_types=0x3
load_aloop
watch_buffers
camera=$(node_of vivid-000)
aplay -q -B 1000000 -D hw:Loopback,0,0 "$LAB_SHARE/tone.wav" &
player=$!
small=(-a alsa:hw:Loopback,1,0 -s 320x180 --encoder-preset ultrafast)
# timings N: that mode of CTA-861 arrives, by its place in the driver's menu
timings() { v4l2-ctl --device "$camera" --set-ctrl dv_timings="$1",dv_timings_signal_mode=4; }
set_fault "$camera" dv_timings_signal_mode=4
timings 5
say loaded

begin lost -c "$camera" "${small[@]}"
until_recorded lost 1500
set_fault "$camera" dv_timings_signal_mode=1
say "no signal"
until_recorded lost 3500
set_fault "$camera" dv_timings_signal_mode=4
say "signal"
until_recorded lost 6000
stop lost
finish lost

begin changed -c "$camera" "${small[@]}"
until_recorded changed 1500
timings 11
say "other timings"
until_recorded changed 4000
stop changed
finish changed
v4l2-ctl --device "$camera" --get-dv-timings > "$LAB_SHARE/timings"

set_fault "$camera" dv_timings_signal_mode=3
begin none -c "$camera" "${small[@]}"
finish none
# a camera that is its own source and one with an antenna
modprobe -r vivid
load_vivid 1 input_types=0x1
watch_buffers
camera=$(node_of vivid-000)
begin antenna -c "$camera" "${small[@]}"
until_recorded antenna 1000
set_fault "$camera" standard_signal_mode=1
until_recorded antenna 2500
set_fault "$camera" standard_signal_mode=0
until_recorded antenna 5000
stop antenna
finish antenna
kill "$player" || true
