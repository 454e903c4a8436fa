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
