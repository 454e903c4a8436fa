# What a preview costs a recording of a raw camera: the same take with a window and without, in turn. The window is on an
# X server of its own (Xvfb), whose time is not counted; that of vcap-window is.
echo "preview in a window of 640 pixels, 1280x720 yuyv422 at 30 fps, $length s, median of $runs runs"
display=$work/display
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$display" 2>/dev/null &
server=$!
until [ -s "$display" ]; do sleep 0.1; done
: >"$work/preview-with"
: >"$work/preview-without"
for run in $(seq "$runs"); do
    for place in window none; do
        [ "$place" = window ] && out=$work/preview-with || out=$work/preview-without
        DISPLAY=:$(cat "$display") measure "$out" "$vcap" record -y -c test:size=1280x720,fps=30,format=yuyv422 -a none -t "$length" \
            --keys none --strict --preview="$place" -o "$work/preview.mp4"
    done
done
kill "$server"
cost() { median "$1" '100 * ($1 + $2) / $3'; }
verdict "CPU of one core more than without" "$(awk "BEGIN { printf \"%.1f\", $(cost "$work/preview-with") - $(cost "$work/preview-without") }")" 6 " %"
