# The capture tests that need a driver: on a single-planar vivid camera, then every format on a
# multi-planar one.
#   bash scenarios/v4l2.sh TEST-BUNDLE [all]      all: the whole of what is tried in part otherwise
set -eu
export VCAP_SOAK=${2:-}
source "$(dirname "$0")/../guest/drivers.sh"
load_vivid 1
# line by line: what was said before a test hangs is there
stdbuf -oL "$1" --testing-library swift-testing --filter V4L2DriverTests
modprobe -r vivid
load_vivid 1 multiplanar=2
stdbuf -oL "$1" --testing-library swift-testing --filter V4L2DriverTests/everyFormat
