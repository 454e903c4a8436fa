# Sourced by scenarios, in the guest: what the kernel says it handed out, as an oracle that owes
# nothing to the recorder: its own trace of every dequeued video buffer.

tracing=/sys/kernel/tracing

watch_buffers() {
    [ -e "$tracing/trace" ] || mount -t tracefs tracefs "$tracing"
    echo mono > "$tracing/trace_clock"
    echo 1 > "$tracing/events/v4l2/v4l2_dqbuf/enable"
    forget_buffers
}

forget_buffers() {
    [ ! -e "$tracing/trace" ] || : > "$tracing/trace"
}

# buffers: one line for each: minor, when it was taken (s, monotonic), sequence, stamp (ns), bytes
# and flags.
buffers() {
    [ -e "$tracing/trace" ] || return 0
    local any='.*'
    sed -n "s/^$any \([0-9.]*\): v4l2_dqbuf: minor = \([0-9]*\),$any bytesused = \([0-9]*\), \
flags = \([A-Z_|]*\),$any timestamp = \([0-9-]*\),$any sequence = \([0-9]*\)\$/\2 \1 \6 \5 \3 \4/p" \
        "$tracing/trace"
}

# missing_buffers: how many sequence numbers the kernel skipped so far, all cameras together.
missing_buffers() {
    buffers | awk '($1 in last) && $3 > last[$1] { lost += $3 - last[$1] - 1 }
        { last[$1] = $3 } END { print lost + 0 }'
}

# monotonic_offset: what to add to the wall clock (s) to get the monotonic clock, to microseconds.
monotonic_offset() {
    echo "wall $EPOCHREALTIME" > "$tracing/trace_marker"
    sed -n 's/^.* \([0-9.]*\): tracing_mark_write: wall \([0-9.]*\)$/\1 \2/p' "$tracing/trace" |
        tail -n 1 | awk '{ printf "%.6f\n", $1 - $2 }'
}
