#pragma once

// vcap-window is the only one that calls SDL: this module brings its compiler's flags.
