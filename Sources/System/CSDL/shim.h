#pragma once

// vcap-window is the only program that calls SDL, in C, and takes this module's flags. The tests of PlayerLayer draw with
// these two, as a client would.
#include <SDL2/SDL_render.h>
#include <SDL2/SDL_surface.h>
