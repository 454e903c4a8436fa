# Two alike sound cards whose numbers and ids change places, as they may at a reboot. Only the first
# port's card plays a tone.
source "$(dirname "$0")/../guest/scenario.sh"

load_aloop enable=1,1 index=0,1 id=Loopback,Loopback_1
"$vcap" devices --json > "$LAB_SHARE/before.json"
modprobe -r snd-aloop
load_aloop enable=1,1 index=1,0 id=Loopback_1,Loopback
"$vcap" devices --json > "$LAB_SHARE/after.json"

number=$(cat /sys/devices/platform/snd_aloop.0/sound/card*/number)
echo "$number" > "$LAB_SHARE/number"
aplay -q -B 1000000 -D "hw:$number,0,0" "$LAB_SHARE/tone.wav" &
player=$!
# the other card's end must be open too, or its clock stands still
aplay -q -B 1000000 -D "hw:$((1 - number)),0,0" -f S16_LE -r 48000 -c 2 /dev/zero &
silence=$!
take by-identity 1500 -c none -a alsa:by-path:platform-snd_aloop.0,DEV=1
take by-kernel-id 1500 -c none -a alsa:hw:CARD=Loopback,DEV=1
kill "$player" "$silence" || true
