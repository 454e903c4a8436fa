# Sourced by scenarios, in the guest: takes of the built vcap, one after another or side by side.
# A take NAME leaves in the share NAME.mp4 (or what `ending` is set to), NAME.vcap.json, NAME.progress, NAME.stderr, NAME.status
# and NAME.buffers (the kernel's own list of video buffers).

takes=/tmp/takes # where the movies go; a scenario may choose a disk
notes=/tmp/notes
mkdir -p "$takes" "$notes"
declare -A takers=()

# begin NAME OPTION…: starts `vcap record` with these options.
begin() {
    local name=$1
    shift
    forget_buffers
    "$vcap" record -o "$takes/$name.${ending:-mp4}" --progress "$notes/$name.progress" "$@" \
        > "$notes/$name.stdout" 2> "$notes/$name.stderr" < /dev/null &
    takers[$name]=$!
}

# read_progress NAME: microseconds of movie so far, by its progress, in `microseconds`.
read_progress() {
    local lines n
    microseconds=0
    [ -e "$notes/$1.progress" ] || return 0
    mapfile -t lines < "$notes/$1.progress"
    for ((n = ${#lines[@]} - 1; n >= 0; n--)); do
        case ${lines[n]} in
        out_time_us=[0-9]*)
            microseconds=${lines[n]#*=}
            return 0
            ;;
        esac
    done
}

# recorded NAME: the same, printed.
recorded() {
    read_progress "$1"
    echo "$microseconds"
}

has_recorded() {
    read_progress "$1"
    [ "$microseconds" -ge "$2" ] || ! kill -0 "${takers[$1]}" 2> /dev/null
}

# until_recorded NAME MILLISECONDS: waits for that much movie (or for the take to end by itself).
until_recorded() {
    wait_until 120 "$2 ms of take $1" has_recorded "$1" "$(($2 * 1000))"
}

# stop NAME: a user's stop. finish NAME [SECONDS]: waits for the end and keeps the take's files.
stop() { kill -INT "${takers[$1]}" 2> /dev/null || true; }

finish() {
    local name=$1 status=0
    wait_for_exit "${2:-60}" "${takers[$name]}" || status=$?
    echo "$status" > "$LAB_SHARE/$name.status"
    buffers > "$LAB_SHARE/$name.buffers"
    # a take that could not begin left no movie
    cp "$takes/$name".* "$LAB_SHARE/" 2> /dev/null || true
    cp "$notes/$name".* "$LAB_SHARE/" 2> /dev/null || true
    rm -f "$takes/$name".*
    say "take $name ended with status $status"
}

# take NAME MILLISECONDS OPTION…: a whole take of that length, stopped as a user would.
take() {
    local name=$1 length=$2
    shift 2
    begin "$name" "$@"
    until_recorded "$name" "$length"
    stop "$name"
    finish "$name"
}
