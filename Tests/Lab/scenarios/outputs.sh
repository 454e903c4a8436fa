# What else a camera's frames are used for while it is recorded: footage with a code as a Motion-JPEG camera
# (v4l2loopback). A photo before the take, two beside it. Leaves the photos, and what the socket answered.
source "$(dirname "$0")/../guest/scenario.sh"

load_loopback video_nr=9 card_label=Footage exclusive_caps=1
watch_buffers
ffmpeg -nostdin -v error -re -stream_loop -1 -i "$LAB_SHARE/footage.mkv" -c copy -f v4l2 /dev/video9 &
feeder=$!
is_camera() { v4l2-ctl -d /dev/video9 --list-formats | grep -q MJPG; }
wait_until 40 "the footage to become a camera" is_camera
say loaded

"$vcap" photo -c /dev/video9 -o "$LAB_SHARE/before.jpg" > "$LAB_SHARE/before.said" 2>&1
begin outputs -c /dev/video9 -a none --encoder-preset ultrafast --detect codes --detect-rate 1 --session lab
until_recorded outputs 1500
"$vcap" ctl photo "$LAB_SHARE/one.jpg" > "$LAB_SHARE/one.said" 2>&1
"$vcap" ctl photo "$LAB_SHARE/two.jpg" > "$LAB_SHARE/two.said" 2>&1
until_recorded outputs "$(($(recorded outputs) / 1000 + 1500))"
stop outputs
finish outputs
kill "$feeder" || true
