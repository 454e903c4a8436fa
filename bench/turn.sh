# Rotating frames where the container has no display matrix (Matroska), against the same recording without rotation.
echo "rotating 1280x720 at 30 fps before encoding, x264 veryfast, $length s, median of $runs runs"
for turn in 0 180 90; do
    : >"$work/turn-$turn"
    for run in $(seq "$runs"); do
        measure "$work/turn-$turn" "$vcap" record -y -c test: -a none -s 720p -r 30 -t "$length" --rotate "$turn" --keys none -o "$work/turn.mkv"
    done
done
plain=$(median "$work/turn-0" '100 * ($1 + $2) / $3')
for turn in 180 90; do
    turned=$(median "$work/turn-$turn" '100 * ($1 + $2) / $3')
    verdict "CPU of one core more for $turn degrees" "$(awk "BEGIN { printf \"%.1f\", $turned - $plain }")" 10 " %"
done
