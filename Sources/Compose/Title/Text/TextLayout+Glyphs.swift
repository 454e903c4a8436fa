internal import CPangoCairo

extension TextLayout {
    /// Glyphs of one font, script and direction, in the order in which they lie from left to right.
    struct Run: Equatable {
        struct Glyph: Equatable {
            /// The font's number for it.
            var number: UInt32
            /// First byte of the characters it stands for.
            var byte: Int
            /// Its step to the right (pixels).
            var advance: Double
        }

        var line: Int
        /// Family of the font it is set in.
        var family: String
        var isRightToLeft: Bool
        var glyphs: [Glyph]
    }

    /// All runs, line after line, empty glyphs (joiners, line ends) left out.
    var runs: [Run] {
        var result: [Run] = []
        forEachRun { line, item, glyphs in
            var visible: [Run.Glyph] = []
            for index in 0..<Int(glyphs.num_glyphs) {
                let info = glyphs.glyphs[index]
                guard info.glyph != vcap_pango_glyph_empty else { continue }
                visible.append(
                    Run.Glyph(
                        number: info.glyph,
                        byte: Int(item.offset) + Int(glyphs.log_clusters[index]),
                        advance: Double(info.geometry.width) / Double(PANGO_SCALE) * shrink))
            }
            result.append(
                Run(
                    line: line, family: Self.family(of: item.analysis.font),
                    isRightToLeft: item.analysis.level & 1 == 1, glyphs: visible))
        }
        return result
    }

    /// Characters that no font has, each once, in the order of the text.
    var missingCharacters: [Character] {
        guard pango_layout_get_unknown_glyphs_count(pointer) > 0,
            let text = pango_layout_get_text(pointer)
        else { return [] }
        let bytes = String(cString: text).utf8
        var unknown: Set<Int> = []
        forEachRun { _, item, glyphs in
            for index in 0..<Int(glyphs.num_glyphs)
            where glyphs.glyphs[index].glyph & vcap_pango_glyph_unknown_flag != 0
                && glyphs.glyphs[index].glyph != vcap_pango_glyph_empty
            {
                unknown.insert(Int(item.offset) + Int(glyphs.log_clusters[index]))
            }
        }
        var result: [Character] = []
        for byte in unknown.sorted() {
            let character = Substring(bytes.dropFirst(byte)).first
            if let character, !result.contains(character) { result.append(character) }
        }
        return result
    }

    func forEachRun(_ body: (Int, PangoItem, PangoGlyphString) -> Void) {
        for index in 0..<Int(pango_layout_get_line_count(pointer)) {
            let line = pango_layout_get_line_readonly(pointer, Int32(index))
            var node = line?.pointee.runs
            while let entry = node {
                let run = entry.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self).pointee
                if let item = run?.item?.pointee, let glyphs = run?.glyphs?.pointee {
                    body(index, item, glyphs)
                }
                node = entry.pointee.next
            }
        }
    }

    private static func family(of font: UnsafeMutablePointer<PangoFont>?) -> String {
        guard let font, let description = pango_font_describe(font) else { return "" }
        defer { pango_font_description_free(description) }
        return pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
    }
}
