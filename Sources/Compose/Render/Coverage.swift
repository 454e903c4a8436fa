/// Weights that are not ramps: shapes and pictures.
protocol RowMask {
    /// Multiplies the weights of a row's samples.
    func cut(_ weights: UnsafeMutablePointer<UInt16>, row: Int, columns: Range<Int>)
}

/// How much of each sample of a plane an area covers: a product of linear ramps, each cut to 0…1.
/// A hard edge is a ramp as wide as a sample, a soft one as wide as its softness.
struct Coverage {
    /// `k0 + kx·column + ky·row`, cut to 0…1.
    struct Ramp {
        var k0: Double
        var kx: Double
        var ky: Double

        func value(_ column: Double, _ row: Double) -> Double { k0 + kx * column + ky * row }
    }

    /// The same for every row: a weight for each of `columns`.
    private let rowOfColumns: [Float]?
    /// One factor for a row.
    private let byRow: [Ramp]
    /// Neither.
    private let slanted: [Ramp]
    /// What cuts it beside.
    private let masks: [any RowMask]
    let columns: Range<Int>

    /// Ramps that are 1 all over the rectangle are dropped.
    init(_ ramps: [Ramp], masks: [any RowMask] = [], columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.masks = masks
        let corners = [columns.lowerBound, columns.upperBound - 1].flatMap { column in
            [rows.lowerBound, rows.upperBound - 1].map { (Double(column), Double($0)) }
        }
        let live = ramps.filter { ramp in
            corners.contains { ramp.value($0.0, $0.1) < 1 - 1e-6 }
        }
        byRow = live.filter { $0.kx == 0 }
        slanted = live.filter { $0.kx != 0 && $0.ky != 0 }
        let byColumn = live.filter { $0.kx != 0 && $0.ky == 0 }
        rowOfColumns =
            byColumn.isEmpty
            ? nil
            : columns.map { column in
                byColumn.reduce(Float(1)) { $0 * Self.cut(Float($1.value(Double(column), 0))) }
            }
    }

    var isFull: Bool {
        rowOfColumns == nil && byRow.isEmpty && slanted.isEmpty && masks.isEmpty
    }

    /// What covers a row: one weight for all, or one for each column.
    enum Row {
        case uniform(UInt16)
        case varying
    }

    /// Computes a row's weights, times an opacity; `.varying` when they are in `weights` (from the
    /// first column of `columns` on).
    func row(
        _ row: Int, opacity: Float, into weights: UnsafeMutablePointer<UInt16>
    ) -> Row {
        var factor = opacity
        for ramp in byRow { factor *= Self.cut(Float(ramp.value(0, Double(row)))) }
        guard factor > 0, rowOfColumns != nil || !slanted.isEmpty || !masks.isEmpty else {
            return .uniform(UInt16(factor * 32_768 + 0.5))
        }
        let first = columns.lowerBound
        let scale = factor * 32_768
        let starts = slanted.map { ramp in
            (Float(ramp.value(Double(first), Double(row))), Float(ramp.kx))
        }
        if let rowOfColumns {
            rowOfColumns.withUnsafeBufferPointer { factors in
                for x in 0..<columns.count { weights[x] = UInt16(factors[x] * scale + 0.5) }
            }
        } else {
            for x in 0..<columns.count { weights[x] = UInt16(scale + 0.5) }
        }
        for (start, step) in starts {
            for x in 0..<columns.count {
                weights[x] = UInt16(
                    Float(weights[x]) * Self.cut(start + step * Float(x)) + 0.5)
            }
        }
        for mask in masks { mask.cut(weights, row: row, columns: columns) }
        return .varying
    }

    @inline(__always)
    private static func cut(_ value: Float) -> Float { max(0, min(1, value)) }
}
