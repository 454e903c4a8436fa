# Sourced by scenarios, in the guest: waits that say what never came. On an emulated processor a process for each look
# would take half of it: none is started to wait, to look at the clock or at a take's progress.

mkfifo "/tmp/nap.$$"
exec {nothing}<> "/tmp/nap.$$"
rm "/tmp/nap.$$"

# nap SECONDS: waits without a process, on a pipe into which nobody writes.
nap() { read -r -t "$1" -u "$nothing" || true; }

# wait_until SECONDS WHAT COMMAND…: until COMMAND succeeds.
wait_until() {
    local seconds=$1 what=$2 end
    shift 2
    end=$((${EPOCHREALTIME/./} + seconds * 1000000))
    until "$@" > /dev/null 2>&1; do
        if [ "${EPOCHREALTIME/./}" -ge "$end" ]; then
            echo "lab: waited $seconds s for $what in vain" >&2
            return 1
        fi
        nap 0.05
    done
}

# wait_for_exit SECONDS PID: the exit status of a child, which is killed when it takes longer.
wait_for_exit() {
    local seconds=$1 pid=$2
    (sleep "$seconds" && kill -KILL "$pid") 2> /dev/null &
    local guard=$! status=0
    wait "$pid" || status=$?
    kill "$guard" 2> /dev/null || true
    return "$status"
}

# say TEXT…: a line with the guest's monotonic clock, for the scenario's own journal.
say() {
    echo "$(cut -d ' ' -f 1 /proc/uptime) $*"
}
