# A take onto ext4 on /dev/vda that the guest loses power over: the harness pulls the plug when
# the file `cut` appears. Leaves the take's report and `cut-at`: the monotonic clock just before.
patience=700000
source "$(dirname "$0")/../guest/scenario.sh"
length=$1
# PCM: an emulated processor cannot encode AAC as fast as sound comes, and then sound is late, not lost
options=(-c test: -a test: -s 160x90 -r 15 -b 2M --encoder-preset ultrafast --audio-codec pcm)

# the program's pages come from the host, one by one and slowly: not what a disk is measured by
take warm 500 "${options[@]}"

mount -t ext4 /dev/vda /mnt
takes=/mnt
begin take "${options[@]}"
until_recorded take "$length"
cp /mnt/take.vcap.json "$LAB_SHARE/"
cut -d ' ' -f 1 /proc/uptime > "$LAB_SHARE/cut-at"
: > "$LAB_SHARE/cut"
sleep 600
