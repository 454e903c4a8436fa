# Footage as a Motion-JPEG camera (v4l2loopback): recorded as it comes, and encoded anew.
source "$(dirname "$0")/../guest/scenario.sh"

load_loopback video_nr=9 card_label=Footage exclusive_caps=1
watch_buffers
feed() {
    ffmpeg -nostdin -v error -re -stream_loop -1 -i "$LAB_SHARE/footage.mkv" -c copy -f v4l2 /dev/video9 &
    feeder=$!
    is_camera() { v4l2-ctl -d /dev/video9 --list-formats | grep -q MJPG; }
    wait_until 40 "the footage to become a camera" is_camera
}
feed
say loaded
take copied 3000 -c /dev/video9 -a none --codec copy
take encoded 3000 -c /dev/video9 -a none --codec h264 --encoder-preset ultrafast
kill "$feeder" || true
