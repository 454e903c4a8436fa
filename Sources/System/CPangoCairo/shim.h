#pragma once

#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <fontconfig/fontconfig.h>

// macros that Swift does not import
static inline void vcap_pango_fc_font_map_set_config(PangoFontMap *map, FcConfig *config) {
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
}

static const PangoGlyph vcap_pango_glyph_empty = PANGO_GLYPH_EMPTY;
static const PangoGlyph vcap_pango_glyph_unknown_flag = PANGO_GLYPH_UNKNOWN_FLAG;
