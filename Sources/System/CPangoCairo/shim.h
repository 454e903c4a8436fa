#pragma once

#include <pango/pangocairo.h>
#include <fontconfig/fontconfig.h>

// macros that Swift does not import
static const PangoGlyph vcap_pango_glyph_empty = PANGO_GLYPH_EMPTY;
static const PangoGlyph vcap_pango_glyph_unknown_flag = PANGO_GLYPH_UNKNOWN_FLAG;
