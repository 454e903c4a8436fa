# A screen without a desktop: the kernel's own, with a keyboard. Leaves what it shows while a movie is played, after a
# key, and at the end; what was said, and the status.
source "$(dirname "$0")/../guest/scenario.sh"

monitor() { # LINE…: to qemu's monitor
    printf '%s\n' "$@" > "$LAB_SHARE/monitor.new"
    mv "$LAB_SHARE/monitor.new" "$LAB_SHARE/monitor"
    is_taken() { [ ! -e "$LAB_SHARE/monitor" ]; }
    wait_until 20 "the monitor" is_taken
}
dump() { # NAME: what the screen shows
    rm -f "$LAB_SHARE/$1.ppm"
    monitor "screendump SHARE/$1.ppm"
    is_dumped() { [ -s "$LAB_SHARE/$1.ppm" ]; }
    wait_until 20 "the screen's picture" is_dumped "$1"
}

# without a screen there is a sentence
"$vcap" play "$LAB_SHARE/clip.mp4" --display kms --speaker none > "$LAB_SHARE/none.said" 2>&1 && exit 1
echo $? > "$LAB_SHARE/none.status"

modprobe virtio-gpu
modprobe virtio_input
modprobe evdev
udevadm settle
dump before
"$vcap" play "$LAB_SHARE/clip.mp4" --display kms --speaker none --loop > "$LAB_SHARE/play.said" 2>&1 &
player=$!
shows() { # COLOUR: whether the middle of the screen is mostly of it
    dump now
    [ "$(ffmpeg -nostdin -v error -i "$LAB_SHARE/now.ppm" -vf crop=40:40,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 - \
        | od -An -tu1 | awk '{ print ($1 > 150 ? 1 : 0) ($2 > 150 ? 1 : 0) ($3 > 150 ? 1 : 0) }')" = "$1" ]
}
wait_until 90 "the movie on the screen" shows 110
# the very picture: the movie continues
mv "$LAB_SHARE/now.ppm" "$LAB_SHARE/playing.ppm"
monitor "sendkey k" "sendkey 9"
wait_until 60 "the last frame" shows 001
mv "$LAB_SHARE/now.ppm" "$LAB_SHARE/last.ppm"
monitor "sendkey q"
wait "$player" && status=0 || status=$?
echo "$status" > "$LAB_SHARE/play.status"
dump after
