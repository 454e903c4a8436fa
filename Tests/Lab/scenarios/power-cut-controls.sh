# What the two protections are for, each on a disk of its own, all losing power at once:
#   /dev/vda  a finished take, everything as it is
#   /dev/vdb  the same, but the syncs from the stop on are swallowed (no barrier), and the disk
#             happens to be given the first page, with the overwritten header, before the rest
#   /dev/vdc  a growing take whose every sync is swallowed
source "$(dirname "$0")/../guest/scenario.sh"
length=$1

swallow=(strace -f -o /dev/null -e trace=fdatasync,fsync,sync_file_range
    -e inject=fdatasync,fsync,sync_file_range:retval=0)
for disk in vda vdb vdc; do
    mkdir -p "/mnt/$disk"
    # without syncs nothing shall reach a disk by its age, however long an emulated processor takes
    mount -t ext4 -o commit=300 "/dev/$disk" "/mnt/$disk"
done
echo 30000 > /proc/sys/vm/dirty_expire_centisecs
options=(-c test: -a test: -s 160x90 -r 10 -b 1M --encoder-preset ultrafast --audio-codec pcm)

record_on() {
    takes=/mnt/$1
    rm -f "$notes"/*
    begin take "${options[@]}"
}
finish_on() {
    local status=0
    stop take
    wait_for_exit 60 "${takers[take]}" || status=$?
    echo "$status" > "$LAB_SHARE/$1.status"
}

record_on vda
until_recorded take 2500
finish_on vda

record_on vdb
until_recorded take 2500
"${swallow[@]}" --attach "${takers[take]}" &
sleep 0.5
finish_on vdb

real=$vcap
takes=/mnt/vdc
swallowed() { "${swallow[@]}" --seccomp-bpf "$real" "$@"; }
vcap=swallowed
rm -f "$notes"/*
begin take "${options[@]}"
until_recorded take "$length"
cp /mnt/vdc/take.vcap.json "$LAB_SHARE/"
cut -d ' ' -f 1 /proc/uptime > "$LAB_SHARE/cut-at"

# 277 = sync_file_range, 7 = wait, write, wait: the first page only
perl -e 'open(my $f, "+<", $ARGV[0]) or die; syscall(277, fileno($f), 0, 4096, 7) == 0 or die $!' \
    /mnt/vdb/take.mp4
: > "$LAB_SHARE/cut"
sleep 600
