# Sourced by scenarios, in the guest: starts udev and the drivers, finds their nodes, breaks them.

modules=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/.lab/guest

start_udev() {
    [ -e /run/udev/control ] || /lib/systemd/systemd-udevd --daemon
}

# load_vivid [COUNT] [PARAMETER=VALUE…]: webcam-like cameras (capture nodes only) with the fault
# controls. Lists are per camera: load_vivid 2 multiplanar=1,2 makes the second multi-planar.
load_vivid() {
    local count=${1:-1} nodes=0x1 inputs=1 types=0x0 n
    [ $# = 0 ] || shift
    for ((n = 1; n < count; n++)); do
        nodes+=,0x1 inputs+=,1 types+=,0x0
    done
    start_udev
    modprobe vivid n_devs="$count" node_types="$nodes" num_inputs="$inputs" \
        input_types="$types" "$@"
    udevadm settle
}

# load_loopback [PARAMETER=VALUE…]: v4l2loopback, built for this kernel by `prepare`.
load_loopback() {
    start_udev
    modprobe videodev
    insmod "$modules/v4l2loopback.ko" "$@"
    udevadm settle
}

# load_aloop [PARAMETER=VALUE…]: a sound card whose device 1 records what device 0 plays.
load_aloop() {
    start_udev
    modprobe snd-aloop "$@"
    udevadm settle
}

# node_of NAME [N]: the Nth (0) video node whose card name begins with NAME, in node order.
node_of() {
    local name=$1 wanted=${2:-0} node
    for node in $(ls -d /sys/class/video4linux/video* 2> /dev/null | sort -V); do
        [[ $(cat "$node/name") == "$name"* ]] || continue
        if [ "$wanted" = 0 ]; then
            echo "/dev/${node##*/}"
            return
        fi
        wanted=$((wanted - 1))
    done
    echo "lab: no video node named $name" >&2
    return 1
}

# set_fault NODE CONTROL=VALUE: one of the driver's fault controls, by its V4L2 name.
set_fault() {
    v4l2-ctl --device "$1" --set-ctrl "$2"
}

# unplug_vivid N, plug_vivid N: takes the Nth vivid instance off its driver and back.
unplug_vivid() { echo "vivid.$1" > /sys/bus/platform/drivers/vivid/unbind; }
plug_vivid() { echo "vivid.$1" > /sys/bus/platform/drivers/vivid/bind; }

# shift_sound_clock PER_100000 [SUBDEVICE]: 99960 makes the loopback card's clock
# run about 400 ppm fast, 100040 as much slow.
shift_sound_clock() {
    amixer -q -c Loopback cset \
        "iface=PCM,device=1,subdevice=${2:-0},name='PCM Rate Shift 100000'" "$1"
}

# unplug_aloop, plug_aloop: takes the loopback sound card off its driver and back.
unplug_aloop() { echo snd_aloop.0 > /sys/bus/platform/drivers/snd_aloop/unbind; }
plug_aloop() { echo snd_aloop.0 > /sys/bus/platform/drivers/snd_aloop/bind; }
