# A camera (vivid) that is set while it is recorded, by vcap and by another program; then one that a profile sets, also
# when it was unplugged and is back. Leaves what vcap and its socket answered in NAME.said.
source "$(dirname "$0")/../guest/scenario.sh"

export XDG_CONFIG_HOME=/tmp/config
load_vivid 1
watch_buffers
camera=$(node_of vivid-000)
small=(-c "$camera" -a none -s 320x180 -r 15 --encoder-preset ultrafast --session lab)
say loaded

# ask SETTING…: a request of each to the recording's socket; faster than a program for each.
ask() {
    perl -MIO::Socket::UNIX -e '
        my $socket = IO::Socket::UNIX->new(shift) or die "no socket";
        for (@ARGV) { print $socket qq({"command":"set","settings":["$_"]}\n); print scalar <$socket> }
    ' "$XDG_RUNTIME_DIR/vcap/lab.sock" "$@"
}
# on NAME MILLISECONDS: that much more of a take.
on() { until_recorded "$1" "$(($(recorded "$1") / 1000 + $2))"; }
is_back() { grep -q "is back" "$notes/profile.stderr"; }

begin settings "${small[@]}"
until_recorded settings 1000
"$vcap" ctl set brightness=40 > "$LAB_SHARE/own.said" 2>&1
ask brightness=999 sparkle=1 > "$LAB_SHARE/refused.said"
on settings 550
set_fault "$camera" brightness=200
on settings 550
stop settings
finish settings

"$vcap" controls -c "$camera" --save-profile bright > "$LAB_SHARE/save.said" 2>&1
set_fault "$camera" brightness=128
begin profile "${small[@]}" --profile bright
until_recorded profile 700
unplug_vivid 0
plug_vivid 0
wait_until 30 "the camera's return" is_back
on profile 550
set_fault "$(node_of vivid-000)" brightness=20
on profile 550
stop profile
finish profile
