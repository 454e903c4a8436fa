# From launch to the movie's first instant, which is the first frame captured once camera and microphone have both delivered:
# the kernel's uptime before the launch (10 ms steps) against the report's host time.
echo "launch to first captured frame, median of 9 runs"
: >"$work/launch"
for run in $(seq 9); do
    read -r before _ </proc/uptime
    "$vcap" record -q -y -c test: -a test: -s 720p -r 30 -t 0.5 --keys none -o "$work/launch.mp4" </dev/null >/dev/null
    first=$(tr -d '\n ' <"$work/launch.vcap.json" | sed -n 's/.*"clocks":{[^}]*"start":\([0-9.]*\).*/\1/p')
    awk "BEGIN { printf \"%d\n\", ($first - $before) * 1000 }" >>"$work/launch"
done
verdict "to the first frame" "$(median "$work/launch" '$1')" 300 " ms"
