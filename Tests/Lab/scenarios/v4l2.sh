# The capture tests that need a driver, against two vivid cameras: single- and multi-planar.
#   bash scenarios/v4l2.sh TEST-BUNDLE
set -eu
source "$(dirname "$0")/../guest/drivers.sh"
load_vivid 2 multiplanar=1,2
"$1" --testing-library swift-testing --filter V4L2DriverTests
