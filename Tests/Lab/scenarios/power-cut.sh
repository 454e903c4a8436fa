# Takes onto ext4, one on each of COUNT disks, /dev/vda, vdb …, each some time longer than the one before. As each has its
# length the harness freezes the guest and copies the disk, as a power cut would leave it; the last disk it cuts off.
# Leaves in a folder for each, 0, 1 …, the take's report and `cut-at`: the monotonic clock just before.
timeout=700000
source "$(dirname "$0")/../guest/scenario.sh"
count=$1 first=$2 step=$3
# PCM: an emulated processor cannot encode AAC as fast as sound comes, and then sound is late, not lost
options=(-c test: -a test: -s 160x90 -r 15 -b 2M --encoder-preset ultrafast --audio-codec pcm)

# the program's pages come from the host, one by one and slowly: not what a disk is measured by
take warm 500 "${options[@]}"

take_for() { # NUMBER MILLISECONDS
    rm -f "$LAB_SHARE/stalled" "$takes"/take.* "$notes"/take.*
    begin take "${options[@]}"
    until_recorded take "$2"
    cp "$takes/take.vcap.json" "$LAB_SHARE/$1/"
    cut -d ' ' -f 1 /proc/uptime > "$LAB_SHARE/$1/cut-at"
}

frozen() { [ ! -e "$LAB_SHARE/freeze" ]; }

for ((n = 0; n < count; n++)); do
    letter=$(printf "\\x$(printf %x $((97 + n)))")
    mkdir -p "$LAB_SHARE/$n" "/mnt/$n"
    mount -t ext4 "/dev/vd$letter" "/mnt/$n"
    takes=/mnt/$n
    take_for "$n" "$((first + step * n))"
    if [ -e "$LAB_SHARE/stalled" ]; then
        # a host that stood still proves nothing: once more, and then as it is
        stop take
        wait "${takers[take]}" || true
        take_for "$n" "$((first + step * n))"
    fi
    if [ "$((n + 1))" = "$count" ]; then
        : > "$LAB_SHARE/cut"
        sleep 600
    fi
    echo "$n" > "$LAB_SHARE/freezing"
    mv "$LAB_SHARE/freezing" "$LAB_SHARE/freeze"
    wait_until 60 "the disk's copy" frozen
    kill -KILL "${takers[take]}"
    wait "${takers[take]}" || true
    umount "/mnt/$n"
done
