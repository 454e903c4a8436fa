# Two finished takes on disks that log what they are given: /dev/vda as it is; /dev/vdb with the
# syncs from the stop on swallowed, the barrier among them.
source "$(dirname "$0")/../guest/scenario.sh"

swallow=(strace -f -o /dev/null -e trace=fdatasync,fsync,sync_file_range
    -e inject=fdatasync,fsync,sync_file_range:retval=0)
for disk in vda vdb; do
    mkdir -p "/mnt/$disk"
    mount -t ext4 "/dev/$disk" "/mnt/$disk"
    takes=/mnt/$disk
    begin take -c test: -a test: -s 320x180 -r 15 -b 1M --encoder-preset ultrafast
    until_recorded take 2500
    if [ "$disk" = vdb ]; then
        "${swallow[@]}" --attach "${takers[take]}" &
        sleep 1
    fi
    stop take
    status=0
    wait_for_exit 60 "${takers[take]}" || status=$?
    echo "$status" > "$LAB_SHARE/$disk.status"
    cp "$notes/take.stderr" "$LAB_SHARE/$disk.stderr"
    rm -f "$notes"/*
    umount "/mnt/$disk"
done
