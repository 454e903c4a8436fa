# A take onto ext4 on /dev/vda that the guest loses power over: the harness pulls the plug when
# the file `cut` appears. Leaves the take's report and `cut-at`: the monotonic clock just before.
source "$(dirname "$0")/../guest/scenario.sh"
length=$1

mount -t ext4 /dev/vda /mnt
takes=/mnt
begin take -c test: -a test: -s 320x180 -r 15 -b 2M --encoder-preset ultrafast
until_recorded take "$length"
cp /mnt/take.vcap.json "$LAB_SHARE/"
cut -d ' ' -f 1 /proc/uptime > "$LAB_SHARE/cut-at"
: > "$LAB_SHARE/cut"
sleep 600
