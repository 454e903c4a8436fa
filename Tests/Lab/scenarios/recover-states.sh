# After power cuts: /dev/vda holds COUNT file systems of SIZE bytes side by side. Mounts each and
# copies what it still holds to the share, in a folder named after its number.
set -eu
count=$1 size=$2
modprobe loop
for ((n = 0; n < count; n++)); do
    mkdir -p "/mnt/$n" "$LAB_SHARE/$n"
    mount -t ext4 -o "loop,offset=$((n * size)),sizelimit=$size" /dev/vda "/mnt/$n"
    find "/mnt/$n" -maxdepth 1 -type f -exec cp {} "$LAB_SHARE/$n/" \;
    umount "/mnt/$n"
done
