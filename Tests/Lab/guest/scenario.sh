# Sourced first by every scenario, in the guest: bash scenarios/NAME.sh VCAP [ARGUMENT]…
set -eu
guest=$(dirname "${BASH_SOURCE[0]}")
vcap=$1
shift
source "$guest/waiting.sh"
source "$guest/drivers.sh"
source "$guest/buffers.sh"
source "$guest/takes.sh"

# A scenario that fails says where, and what the takes under way said.
trap 'say "line $LINENO failed: $BASH_COMMAND" >&2; tail -n 5 "$notes"/*.stderr >&2 || true' ERR

# A host that stands still for long makes whatever is measured in time worthless: the share then
# holds `stalled`, and the harness runs the scenario once more. A scenario that measures in fractions
# of a second sets its own `timeout` (microseconds) before.
watch_host() {
    local last=${EPOCHREALTIME/./} now
    while nap 0.25; do
        now=${EPOCHREALTIME/./}
        [ "$((now - last))" -lt "${timeout:-2000000}" ] || say "$((now - last)) us without a step" >> "$LAB_SHARE/stalled"
        last=$now
    done
}
watch_host &
