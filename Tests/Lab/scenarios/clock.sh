# Two cameras with two microphones whose sound clocks are 400 ppm fast and slow, each hearing a
# beep at every second of its own clock, recorded side by side until the error, uncorrected,
# would be plain. Leaves SUBDEVICE.clock: wall clock and frames played, and the clocks' offset.
source "$(dirname "$0")/../guest/scenario.sh"
seconds=$1

load_vivid 2
load_aloop
watch_buffers
shift_sound_clock 99960 0
shift_sound_clock 100040 1
players=()
for subdevice in 0 1; do
    aplay -q -B 1000000 -D "hw:Loopback,0,$subdevice" "$LAB_SHARE/beeps.wav" &
    players+=("$!")
done
monotonic_offset > "$LAB_SHARE/offset"
say loaded

begin fast -c "$(node_of vivid-000)" -a alsa:hw:Loopback,1,0 \
    -s 320x180 -r 10 --encoder-preset ultrafast --audio-codec pcm
begin slow -c "$(node_of vivid-001)" -a alsa:hw:Loopback,1,1 \
    -s 320x180 -r 10 --encoder-preset ultrafast --audio-codec pcm

note_clock() {
    local line
    while read -r line; do
        case "$line" in hw_ptr*) echo "$EPOCHREALTIME ${line##* }" >> "$LAB_SHARE/$1.clock" ;; esac
    done < "/proc/asound/Loopback/pcm0p/sub$1/status"
}
end=$((SECONDS + seconds))
while [ "$SECONDS" -lt "$end" ]; do
    note_clock 0
    note_clock 1
    nap 0.2
done
stop fast
stop slow
finish fast
finish slow
kill "${players[@]}" || true
