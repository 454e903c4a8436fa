#pragma once

#include <zimg.h>
