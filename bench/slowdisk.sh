# A take of 10,000 frames and its film on a disk that takes little more than both: how many frames the take lacks, and
# how long after its end the film is there. The disk is a file in memory, held back by the kernel: needs root and cgroup's
# blkio controller of version 1.
slowdisk=$work/slowdisk
throttle=/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device
# of the disk, and of the take's video (bytes a second)
disk=${DISK_RATE:-1000000}
frames=10020

echo "a take of $frames frames at 60 a second with a title, and its film, on a disk of $((disk / 1000)) kB/s"
if [ "$(id -u)" != 0 ] || [ ! -w "$throttle" ]; then
    echo "  not measured: needs root and $throttle"
    return 0
fi
mkdir -p "$slowdisk"
loop=
image=$(mktemp /dev/shm/vcap-slowdisk.XXXXXX)
release() {
    cd "$work/.."
    [ -z "$loop" ] || echo "$loop 0" >"$throttle"
    ! mountpoint -q "$slowdisk" || umount "$slowdisk"
    rm -f "$image"
}
trap release EXIT
truncate -s 3G "$image"
mkfs.ext4 -q -F "$image"
mount -o loop "$image" "$slowdisk"
loop=$(losetup -j "$image" -O MAJ:MIN -n | tr -d ' ')
echo "$loop $disk" >"$throttle"
cd "$slowdisk"
"$vcap" record -c test: -a test: -r 60 -s 640x360 -b 2M -t $((frames / 60)) -o take.mp4 --then compose --title Optics \
    </dev/null >"$work/stdout" 2>"$work/stderr" &
recorder=$!
# the take's report is there when its last bytes are on the disk
until [ -e take.vcap.json ] && grep -q '"state" : "finished"' take.vcap.json || ! kill -0 $recorder; do sleep 0.05; done
stopped=$(date +%s.%N)
wait "$recorder" || {
    cat "$work/stderr" >&2
    exit 1
}
ended=$(date +%s.%N)
there() { ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }
lacking=$((frames - $(there take.mp4)))
different=$(($(there take.film.mp4) - frames))
prepared=$(sed -n 's/.* \([0-9]*\) frames were made while.*/\1/p' "$work/stderr")
cd "$work/.."
release
trap - EXIT
printf '  %s of %s frames of the film were made beside the take\n' "$prepared" "$frames"
verdict "frames that the take lacks" "${lacking#-}" 0 ""
verdict "frames by which the film differs" "${different#-}" 0 ""
verdict "from the take's end to the film" "$(awk "BEGIN { printf \"%.2f\", $ended - $stopped }")" 2 " s"
