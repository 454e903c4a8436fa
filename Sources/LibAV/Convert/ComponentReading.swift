internal import Media

/// Where the components of a pixel format lie in memory, so that any of them is read the same way.
struct ComponentReading {
    /// Plane, byte offset of the first sample, bytes from one sample to the next, bits to shift out.
    var plane: Int
    var offset: Int
    var step: Int
    var shift = 0
    /// Of a field in a word of 16 bits: its width; its codes are read and written as those of 8 bits.
    var bits = 0

    /// Components in the order Y Cb Cr or R G B.
    static func colors(of format: PixelFormat) -> [ComponentReading] {
        switch format {
        case .yuv420p, .yuv422p, .yuv444p, .yuva420p: planar(1)
        case .yuv420p10le, .yuv422p10le, .yuv444p10le, .yuva444p10le: planar(2)
        case .nv12, .nv16: [.init(0, 0, 1), .init(1, 0, 2), .init(1, 1, 2)]
        case .nv21: [.init(0, 0, 1), .init(1, 1, 2), .init(1, 0, 2)]
        case .p010le: [.init(0, 0, 2, 6), .init(1, 0, 4, 6), .init(1, 2, 4, 6)]
        case .yuyv422: [.init(0, 0, 2), .init(0, 1, 4), .init(0, 3, 4)]
        case .yvyu422: [.init(0, 0, 2), .init(0, 3, 4), .init(0, 1, 4)]
        case .uyvy422: [.init(0, 1, 2), .init(0, 0, 4), .init(0, 2, 4)]
        case .gray: [.init(0, 0, 1)]
        case .gray10le, .gray12le, .gray16le: [.init(0, 0, 2)]
        case .rgb24: packed([0, 1, 2], 3)
        case .bgr24: packed([2, 1, 0], 3)
        case .rgba: packed([0, 1, 2], 4)
        case .bgra: packed([2, 1, 0], 4)
        case .rgb48le: packed([0, 2, 4], 6)
        case .rgba64le: packed([0, 2, 4], 8)
        case .rgb565le: [.init(0, 0, 2, 11, 5), .init(0, 0, 2, 5, 6), .init(0, 0, 2, 0, 5)]
        }
    }

    static func alpha(of format: PixelFormat) -> ComponentReading? {
        switch format {
        case .yuva420p: .init(3, 0, 1)
        case .yuva444p10le: .init(3, 0, 2)
        case .rgba, .bgra: .init(0, 3, 4)
        case .rgba64le: .init(0, 6, 8)
        default: nil
        }
    }

    init(_ plane: Int, _ offset: Int, _ step: Int, _ shift: Int = 0, _ bits: Int = 0) {
        (self.plane, self.offset, self.step) = (plane, offset, step)
        (self.shift, self.bits) = (shift, bits)
    }

    /// Whether it has a plane to itself, of samples without bits beside them.
    func isPlain(isWide: Bool) -> Bool {
        offset == 0 && step == (isWide ? 2 : 1) && shift == 0 && bits == 0
    }

    /// Of three planes, samples of so many bytes.
    static func planar(_ bytes: Int) -> [ComponentReading] {
        (0..<3).map { .init($0, 0, bytes) }
    }

    private static func packed(_ offsets: [Int], _ step: Int) -> [ComponentReading] {
        offsets.map { .init(0, $0, step) }
    }

    /// Copies a component row by row, and its last sample and row as far as the target is larger.
    func copy<Sample: FixedWidthInteger & UnsignedInteger>(
        from planes: [PixelPlane], columns: Int, rows: Int, into target: MutablePixelPlane,
        targetColumns: Int, as _: Sample.Type
    ) {
        let source = planes[plane]
        for y in 0..<target.rows {
            let line = (target.base + y * target.bytesPerRow).assumingMemoryBound(to: Sample.self)
            copyRow(source.base + min(y, rows - 1) * source.bytesPerRow, columns, into: line)
            for x in columns..<max(columns, targetColumns) { line[x] = line[columns - 1] }
        }
    }

    /// Whether opacity is full.
    func isOpaque(_ frame: PixelBuffer, in spans: RowSpans) -> Bool {
        let isWide = frame.format.bitDepth > 8
        let most = 1 << frame.format.bitDepth - 1
        return frame.withPlanes { planes in
            spans.rows.allSatisfy { y in
                guard step != 4 || offset != 3 else {
                    return isOpaqueInWords(
                        planes[plane].base + y * planes[plane].bytesPerRow, spans[y])
                }
                return spans[y].allSatisfy { value(planes, $0, y, isWide: isWide) >= most }
            }
        }
    }

    /// Of pixels of four bytes, opacity in the last.
    private func isOpaqueInWords(_ row: UnsafeRawPointer, _ columns: Range<Int>) -> Bool {
        var all = UInt32.max
        for x in columns { all &= row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self) }
        return UInt32(littleEndian: all) >= 255 << 24
    }

    /// One sample as a number.
    @inline(__always)
    func value(_ planes: [PixelPlane], _ x: Int, _ y: Int, isWide: Bool) -> Int {
        let place = planes[plane].base + y * planes[plane].bytesPerRow + offset + x * step
        let code =
            isWide
            ? Int(place.loadUnaligned(as: UInt16.self)) : Int(place.loadUnaligned(as: UInt8.self))
        return code >> shift
    }
}
