# Depth through a driver (v4l2loopback, which knows Y16): values that are known, to be recorded to the unit.
source "$(dirname "$0")/../guest/scenario.sh"

load_loopback video_nr=9 card_label=Depth exclusive_caps=1
watch_buffers
ffmpeg -nostdin -v error -re -stream_loop -1 -i "$LAB_SHARE/depth.mkv" -c:v rawvideo -pix_fmt gray16le \
    -f v4l2 /dev/video9 &
feeder=$!
is_camera() { v4l2-ctl -d /dev/video9 --list-formats | grep -q Y16; }
wait_until 40 "the depth to become a camera" is_camera
"$vcap" formats -c /dev/video9 > "$LAB_SHARE/formats"
ending=mkv
take depth 2000 -c /dev/video9 -a none --depth 0.25mm
kill "$feeder" || true
