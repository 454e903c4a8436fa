internal import CPangoCairo
internal import Media

/// The installed fonts and the settings under which all text is laid out: the same on every machine with the
/// same fonts, whatever its locale, resolution or hinting. Made with the first text. Thread-bound.
///
/// Source: Pango 1.50 with a font map of its own.
final class TextEngine {
    private let fontMap: UnsafeMutablePointer<PangoFontMap>

    /// Pixels are the unit; the resolution only matters to sizes in points within markup (dots an inch).
    private static let resolution = 72.0

    init() throws(MediaError) {
        guard let map = pango_cairo_font_map_new() else {
            throw Self.failure("pango_cairo_font_map_new")
        }
        fontMap = map
        vcap_pango_fc_font_map_set_config(map, TitleFonts.config)
        pango_cairo_font_map_set_resolution(OpaquePointer(map), Self.resolution)
    }

    deinit { g_object_unref(fontMap) }

    /// A `PangoContext` of the caller's own: a layout is laid out anew when its context changes.
    func makeContext(_ direction: TextContents.Direction) throws(MediaError) -> OpaquePointer {
        guard let context = pango_font_map_create_context(fontMap) else {
            throw Self.failure("pango_font_map_create_context")
        }
        pango_cairo_context_set_resolution(context, Self.resolution)
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string("en"))
        pango_context_set_base_dir(
            context, direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
        return context
    }

    private static func failure(_ function: String) -> MediaError {
        MediaError(
            code: .unsupported, function: function, subject: "the title's fonts",
            message:
                "Cannot draw the title: Pango gives no fonts (\(function) failed); install a font "
                + "package such as fonts-dejavu-core.")
    }

    /// Lends Pango's description of a font.
    func withDescription<Result>(
        of font: TitleFont, _ body: (OpaquePointer) -> Result
    ) -> Result? {
        guard let description = pango_font_description_new() else { return nil }
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, font.family)
        pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(
            description, PangoWeight(rawValue: PangoWeight.RawValue(font.weight)))
        let style =
            switch font.style {
            case .normal: PANGO_STYLE_NORMAL
            case .italic: PANGO_STYLE_ITALIC
            case .oblique: PANGO_STYLE_OBLIQUE
            }
        pango_font_description_set_style(description, style)
        return body(description)
    }

    /// The family used where none of a font's families is installed; nil: one is.
    func replacement(for font: TitleFont) throws(MediaError) -> String? {
        let families = font.family.split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        if families.contains(where: Self.isInstalled) { return nil }
        let context = try makeContext(.automatic)
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        return withDescription(of: font) { description in
            guard let loaded = pango_context_load_font(context, description) else { return "none" }
            defer { g_object_unref(loaded) }
            guard let found = pango_font_describe(loaded) else { return "none" }
            defer { pango_font_description_free(found) }
            return pango_font_description_get_family(found).map { String(cString: $0) } ?? "none"
        }
    }

    /// Names that stand for whatever is there.
    private static let generic: Set<String> = [
        "", "sans", "sans-serif", "serif", "mono", "monospace", "system-ui", "cursive", "fantasy",
        "emoji", "math",
    ]

    private static func isInstalled(_ family: String) -> Bool {
        if generic.contains(family.lowercased()) { return true }
        guard let pattern = FcPatternCreate() else { return false }
        defer { FcPatternDestroy(pattern) }
        FcPatternAddString(pattern, FC_FAMILY, family)
        guard let wanted = FcObjectSetCreate() else { return false }
        defer { FcObjectSetDestroy(wanted) }
        FcObjectSetAdd(wanted, FC_FAMILY)
        guard let found = FcFontList(TitleFonts.config, pattern, wanted) else { return false }
        defer { FcFontSetDestroy(found) }
        return found.pointee.nfont > 0
    }
}
