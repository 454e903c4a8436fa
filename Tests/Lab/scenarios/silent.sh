# No udevd: nothing makes links, nothing announces but the kernel. Discovery, a camera unplugged in a
# take, and the capture room's tests of plugging.
#   bash scenarios/silent.sh VCAP TEST-BUNDLE
source "$(dirname "$0")/../guest/scenario.sh"
bundle=$1

modprobe vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0x0
modprobe snd-aloop
wait_until 10 "the camera's node" test -e /dev/video0
ls /run/udev > "$LAB_SHARE/udev" 2>&1 || true
"$vcap" devices --json > "$LAB_SHARE/devices.json"

begin unplugged -c v4l2:node:/dev/video0 -a none -s 320x180 -r 15 --encoder-preset ultrafast
until_recorded unplugged 1500
unplug_vivid 0
sleep 1
plug_vivid 0
until_recorded unplugged 4500
stop unplugged
finish unplugged

"$bundle" --testing-library swift-testing --filter V4L2DriverTests/appearsAndDisappears \
    --filter ALSALoopbackTests/appearsAndDisappears
