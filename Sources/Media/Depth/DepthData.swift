/// The distances of one moment: a map of 16-bit values, what they mean, and conversions to what else they could be.
/// A value; its pixels are shared until they are converted or filtered.
public struct DepthData: Sendable {
    /// The values, in rows (`gray16le`; 0: nothing is known of the point).
    public let map: PixelBuffer
    /// What they mean.
    public let format: DepthFormat

    /// - Parameters:
    ///   - map: the values (`gray16le`).
    ///   - format: what they mean.
    /// - Throws: `invalidSetting` for a map of other pixels or a format that none can be.
    public init(map: PixelBuffer, format: DepthFormat) throws(MediaError) {
        guard map.format == .gray16le else {
            throw .depth("Depth has values of 16 bits (gray16le), not \(map.format.rawValue).")
        }
        try format.validate()
        self.map = map
        self.format = format
    }

    /// The depth of a sample: a raw frame of a depth camera or of a depth track that was decoded.
    /// - Parameter sample: raw, of a format with `depth`.
    /// - Throws: `unsupported` for any other.
    public init(_ sample: SampleBuffer) throws(MediaError) {
        guard let map = sample.pixelBuffer, let format = sample.format.video?.depth else {
            throw MediaError(
                code: .unsupported, subject: "depth",
                message: "The sample is no raw frame of depth: take a depth camera's, or decode a "
                    + "depth track.")
        }
        try self.init(map: map, format: format)
    }

    /// Of values that are in range.
    init(values: [UInt16], width: Int, height: Int, format: DepthFormat) {
        map = PixelBuffer(steps: values, width: width, height: height)
        self.format = format
    }

    /// Size of the map (pixels).
    public var width: Int { map.width }
    public var height: Int { map.height }
    /// Whether values grow with the distance or shrink.
    public var kind: DepthKind { format.unit.kind }

    /// All values as they stand in the map, row after row.
    public var steps: [UInt16] { map.steps }

    /// Whether anything is known of any point.
    public var knowsAnyDistance: Bool { steps.contains { $0 > 0 } }

    /// A value in its unit's measure (m, 1/m or pixels); `nil` where nothing is known.
    /// - Parameters:
    ///   - x: column (pixels; from the left).
    ///   - y: row (pixels; from the top).
    /// - Precondition: the point lies in the map.
    public func value(x: Int, y: Int) -> Double? {
        let step = map.step(x, y)
        return step == 0 ? nil : Double(step) * format.unit.step
    }

    /// A point's distance (m; up to a factor where the accuracy is relative); `nil` where nothing is known, and for
    /// pixels of disparity of cameras that are not calibrated.
    /// - Parameters:
    ///   - x: column (pixels; from the left).
    ///   - y: row (pixels; from the top).
    /// - Precondition: the point lies in the map.
    public func distance(x: Int, y: Int) -> Double? { format.distance(of: map.step(x, y)) }

    /// The same distances in another unit, each rounded once, to the nearest step. Those that have none there, because
    /// they are too near or too far, become unknown.
    /// - Parameter unit: of the result.
    /// - Throws: `invalidSetting` for pixels of disparity of cameras that are not calibrated.
    public func converted(to unit: DepthUnit) throws(MediaError) -> DepthData {
        guard unit != format.unit else { return self }
        return try DepthConversion(from: format, to: unit).convert(self)
    }
}

/// Brings maps of one format to another unit: a table of all values there can be, made once.
public struct DepthConversion: Sendable {
    /// What the maps are before …
    public let source: DepthFormat
    /// … and after it.
    public let target: DepthFormat
    private let table: [UInt16]

    /// - Parameters:
    ///   - source: of the maps that come.
    ///   - unit: of the maps that are made.
    /// - Throws: `invalidSetting` for a unit that none can be, and where pixels of disparity have to become distances, or
    ///   the other way, and no calibration says how.
    public init(from source: DepthFormat, to unit: DepthUnit) throws(MediaError) {
        var target = source
        target.unit = unit
        try source.validate()
        try target.validate()
        guard source.calibration != nil || source.unit.countsPixels == unit.countsPixels else {
            throw .depth(
                "Disparity in pixels is a distance only with the focal length and the baseline of "
                    + "the two cameras: give both.")
        }
        let isPixels = source.unit.countsPixels && unit.countsPixels
        self.source = source
        self.target = target
        table = (0...65_535).map { value in
            if isPixels {
                let steps = (Double(value) * source.unit.step / unit.step).rounded()
                return steps <= 65_535 ? UInt16(steps) : 0
            }
            return source.distance(of: UInt16(value)).map(target.value) ?? 0
        }
    }

    /// - Parameter data: of the source's format.
    /// - Returns: the same distances in the target's unit; what has none there is unknown.
    /// - Precondition: the map is of the source's format.
    public func convert(_ data: DepthData) -> DepthData {
        precondition(data.format == source, "a map of another format than was agreed")
        return DepthData(
            values: data.steps.map { table[Int($0)] }, width: data.width, height: data.height,
            format: target)
    }
}

extension DepthUnit {
    /// Whether it is a distance only with a pair of cameras.
    package var countsPixels: Bool {
        if case .pixels = self { true } else { false }
    }
}

extension PixelBuffer {
    /// A map of values, row after row.
    /// - Precondition: there are width × height of them.
    package init(steps: [UInt16], width: Int, height: Int) {
        precondition(steps.count == width * height, "a map has a value for each point")
        var map = PixelBuffer(width: width, height: height, format: .gray16le)
        map.withMutablePlanes { planes in
            steps.withUnsafeBytes { source in
                for row in 0..<height {
                    let line = UnsafeRawBufferPointer(
                        rebasing: source[row * width * 2..<(row + 1) * width * 2])
                    UnsafeMutableRawBufferPointer(start: planes[0].row(row), count: width * 2)
                        .copyMemory(from: line)
                }
            }
        }
        self = map
    }

    /// The values of a map, row after row.
    package var steps: [UInt16] {
        precondition(format == .gray16le, "a map has values of 16 bits")
        return [UInt16](unsafeUninitializedCapacity: width * height) { values, count in
            let target = UnsafeMutableRawBufferPointer(values)
            withPlane(0) { plane in
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(
                        rebasing: target[row * width * 2..<(row + 1) * width * 2]
                    ).copyMemory(
                        from: UnsafeRawBufferPointer(start: plane.row(row), count: width * 2))
                }
            }
            count = width * height
        }
    }

    fileprivate func step(_ x: Int, _ y: Int) -> UInt16 {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the point lies outside the map")
        return withPlane(0) { plane in
            UInt16(plane.row(y)[2 * x]) | UInt16(plane.row(y)[2 * x + 1]) << 8
        }
    }
}
