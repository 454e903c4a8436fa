internal import Media

/// Colour bars over a frame of a size. They are signals of R'G'B', so each matrix has the codes that its standard names.
///
/// Source: SMPTE RP 219-1:2014, with 100 % white beside the cyan (its choice 2) and black beside the yellow (its
/// choice 3); EBU Tech. 3325 and ITU-R BT.1729 (100/0/75/0, 100/0/100/0).
struct BarColors: FrameColors {
    /// What lies between two columns.
    private struct Cell {
        /// The first pixel behind it.
        let end: Double
        let first: SIMD4<Float>
        /// What it goes into, across it; nil: it stays.
        var last: SIMD4<Float>?
    }

    private struct Strip {
        /// The first row behind it (pixels).
        let end: Double
        let cells: [Cell]
    }

    private let strips: [Strip]

    init(_ bars: Generator.Bars, size: PixelSize) {
        let whole = Double(size.height)
        switch bars {
        case .smpte: strips = Self.smpte(size)
        case .ebu: strips = [Strip(end: whole, cells: Self.eight(0.75, size))]
        case .ebu100: strips = [Strip(end: whole, cells: Self.eight(1, size))]
        }
    }

    func row(at y: Double, columns: [Double]) -> [SIMD4<Float>] {
        let cells = strips[strip(at: y)].cells
        var (index, start) = (0, 0.0)
        return columns.map { x in
            while index < cells.count - 1, x >= cells[index].end {
                start = cells[index].end
                index += 1
            }
            guard let last = cells[index].last else { return cells[index].first }
            let share = Float((x - start) / (cells[index].end - start))
            return cells[index].first * (1 - share) + last * share
        }
    }

    func kind(ofRow y: Double) -> Double { Double(strip(at: y)) }

    private func strip(at y: Double) -> Int {
        strips.firstIndex { y < $0.end } ?? strips.count - 1
    }

    // MARK: Colours

    private static func gray(_ level: Float) -> SIMD4<Float> { SIMD4(level, level, level, 1) }

    /// White, yellow, cyan, green, magenta, red, blue.
    private static func seven(_ level: Float) -> [SIMD4<Float>] {
        [(1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)].map {
            SIMD4($0.0 * level, $0.1 * level, $0.2 * level, 1)
        }
    }

    // MARK: Layouts

    /// White of 100 %, six colours of a level, black.
    private static func eight(_ level: Float, _ size: PixelSize) -> [Cell] {
        let colors = [gray(1)] + seven(level).dropFirst() + [gray(0)]
        return cells(colors.map { (1, $0) }, from: 0, unit: Double(size.width) / 8)
    }

    /// The middle is as wide as a frame of 4:3; what is wider has sides, what is narrower has none.
    private static func smpte(_ size: PixelSize) -> [Strip] {
        let (width, height) = (Double(size.width), Double(size.height))
        let unit = min(width, height * 4 / 3) / 7
        let side = even((width - unit * 7) / 2)
        func strip(
            to twelfth: Double, _ left: SIMD4<Float>, _ middle: [(Double, SIMD4<Float>)],
            _ right: SIMD4<Float>
        ) -> Strip {
            var inner = cells(middle, from: (width - unit * 7) / 2, unit: unit)
            if let last = inner.popLast() {
                inner.append(Cell(end: width - side, first: last.first, last: last.last))
            }
            if side > 0 {
                inner.insert(Cell(end: side, first: left), at: 0)
                inner.append(Cell(end: width, first: right))
            }
            return Strip(
                end: twelfth == 12 ? height : even(height * twelfth / 12), cells: inner)
        }
        let (full, black) = (seven(1), gray(0))
        var ramp = strip(
            to: 9, full[1], [(1, black), (5, black), (1, gray(1))], full[5])
        if let index = ramp.cells.firstIndex(where: { $0.end > side + unit * 1.5 }) {
            var cells = ramp.cells
            cells[index].last = gray(1)
            ramp = Strip(end: ramp.end, cells: cells)
        }
        return [
            strip(to: 7, gray(0.4), seven(0.75).map { (1, $0) }, gray(0.4)),
            strip(to: 8, full[2], [(1, gray(1)), (6, gray(0.75))], full[6]), ramp,
            strip(
                to: 12, gray(0.15),
                [
                    (1.5, black), (2, gray(1)), (5.0 / 6, black), (1.0 / 3, gray(-0.02)),
                    (1.0 / 3, black), (1.0 / 3, gray(0.02)), (1.0 / 3, black),
                    (1.0 / 3, gray(0.04)), (1, black),
                ], gray(0.15)),
        ]
    }

    /// One after the other, their edges between two samples of chroma.
    private static func cells(
        _ widths: [(Double, SIMD4<Float>)], from start: Double, unit: Double
    ) -> [Cell] {
        var place = start
        return widths.map { width, color in
            place += width * unit
            return Cell(end: even(place), first: color)
        }
    }

    private static func even(_ place: Double) -> Double { (place / 2).rounded() * 2 }
}
