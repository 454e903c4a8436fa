# After power cuts: mounts each disk (the file system replays its journal) and copies what it
# still holds to the share, in a folder named after the disk.
set -eu
for disk in "$@"; do
    mkdir -p "/mnt/$disk" "$LAB_SHARE/$disk"
    mount -t ext4 "/dev/$disk" "/mnt/$disk"
    find "/mnt/$disk" -maxdepth 1 -type f -exec cp {} "$LAB_SHARE/$disk/" \;
done
