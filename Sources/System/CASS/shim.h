// libass draws the events of SubStation scripts.
#pragma once

#include <ass/ass.h>
