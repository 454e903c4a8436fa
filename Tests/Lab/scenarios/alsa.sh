# The capture tests that need a sound card, against snd-aloop.
#   bash scenarios/alsa.sh TEST-BUNDLE
set -eu
source "$(dirname "$0")/../guest/drivers.sh"
load_aloop
# line by line: what was said before a test hangs is there
stdbuf -oL "$1" --testing-library swift-testing --filter ALSALoopbackTests
