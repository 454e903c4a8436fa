internal import CPangoCairo

extension TextContents {
    /// A share of the characters as one that ends with a whole character (0…1).
    func wholeCharacters(_ fraction: Double) -> Double {
        let count = Double(text.count)
        guard count > 0 else { return 0 }
        return (min(max(fraction, 0), 1) * count + 1e-6).rounded(.down) / count
    }
}

extension TextLayout {
    /// First byte of the text that has not come.
    func byte(at progress: TextContents.Progress) -> Int {
        guard let text = pango_layout_get_text(pointer).map({ String(cString: $0) }) else {
            return 0
        }
        let count = Int(
            (min(max(progress.fraction, 0), 1) * Double(text.count) + 1e-6).rounded(.down))
        return text.utf8.distance(
            from: text.startIndex, to: text.index(text.startIndex, offsetBy: count))
    }

    /// What is covered by the letters before a byte and no others (pixels of the layer).
    func areas(before byte: Int) -> [Rectangle] {
        var areas = [[Rectangle]](repeating: [], count: lines.count)
        var isWhole = [Bool](repeating: true, count: lines.count)
        var reached = lines.map(\.origin.x)
        let rows = rows
        forEachRun { line, item, glyphs in
            guard lines.indices.contains(line) else { return }
            for index in 0..<Int(glyphs.num_glyphs) {
                let wide =
                    Double(glyphs.glyphs[index].geometry.width) / Double(PANGO_SCALE) * shrink
                if Int(item.offset) + Int(glyphs.log_clusters[index]) < byte {
                    let (top, tall) = rows[line]
                    areas[line].append(
                        Rectangle(x: reached[line], y: top, width: wide, height: tall))
                } else {
                    isWhole[line] = false
                }
                reached[line] += wide
            }
        }
        return areas.indices.flatMap { line -> [Rectangle] in
            guard isWhole[line] else { return areas[line] }
            // a whole line shows what stands out of its letters' steps as well
            let wide = lines[line].frame.union(lines[line].ink).insetBy(-reach)
            return [
                Rectangle(x: wide.x, y: rows[line].top, width: wide.width, height: rows[line].tall)
            ]
        }
    }

    /// How far letters can stand out of what their line takes (pixels).
    private var reach: Double {
        ((contents.outline?.width ?? 0) + contents.font.size * 0.25) * shrink
    }

    /// What of the height belongs to each line: each pixel to one line only.
    private var rows: [(top: Double, tall: Double)] {
        lines.indices.map { index in
            let frame = lines[index].frame
            let top = index == 0 ? frame.y - reach : frame.y
            let bottom =
                index == lines.count - 1 ? frame.y + frame.height + reach : lines[index + 1].frame.y
            return (top, max(0, bottom - top))
        }
    }
}
