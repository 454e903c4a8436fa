public import Media

/// A matte of what is between two distances, of a depth camera that sees what the other one sees. Thread-safe.
///
/// Depth and light are not registered with each other: the matte is stretched over the frame, so both must show the same
/// part of the scene. What is unknown is background.
public final class DepthMatte: MatteGenerator {
    // immutable
    public let name = "depth"
    /// What is foreground (metres).
    public let range: ClosedRange<Double>
    /// How old or new a map may be for a frame.
    private static let reach = MediaTime.nanoseconds(250_000_000)
    /// Most maps that are kept (maps).
    private static let most = 32

    // guarded by itself
    private let maps = BlockingLock<[(time: MediaTime, matte: Matte)]>([])
    /// Of each step whether it is foreground, for maps of a format.
    private let table = Lock<(format: DepthFormat, values: [UInt8])?>(nil)

    /// - Parameter range: what is foreground (metres; 0 or more).
    /// - Throws: `invalidSetting` for distances that none can be.
    public init(_ range: ClosedRange<Double>) throws(MediaError) {
        guard range.lowerBound >= 0, range.upperBound.isFinite, !range.isEmpty else {
            throw MediaError(
                code: .invalidSetting, subject: "depth",
                message: "The distances of a matte are 0 m or more.")
        }
        self.range = range
    }

    /// Takes a map of the depth camera. In the order of their times.
    /// - Parameters:
    ///   - data: of distances, or of disparity with its calibration.
    ///   - time: of the map (the frames' clock).
    public func add(_ data: DepthData, at time: MediaTime) {
        let table = table(for: data.format)
        let matte = Matte(
            data.steps.map { table[Int($0)] }, width: data.width, height: data.height)
        maps.withLock { maps in
            maps.append((time, matte))
            if maps.count > Self.most { maps.removeFirst() }
        }
    }

    private func table(for format: DepthFormat) -> [UInt8] {
        table.withLock { table in
            if let table, table.format == format { return table.values }
            let values = (0...Int(UInt16.max)).map { step -> UInt8 in
                format.distance(of: UInt16(step)).map { range.contains($0) ? 255 : 0 } ?? 0
            }
            table = (format, values)
            return values
        }
    }

    /// Waits for the first map there is, because two cameras do not begin at once (250 ms at most).
    /// - Throws: `unsupported` where no map is near enough in time.
    public func matte(of frame: SampleBuffer) throws(MediaError) -> Matte {
        let time = frame.presentationTime
        func distance(_ other: MediaTime) -> MediaTime { max(other - time, time - other) }
        _ = maps.wait(nanoseconds: Self.reach.nanoseconds()) { $0.isEmpty ? nil : () }
        let nearest = maps.withLock { maps in
            maps.min { distance($0.time) < distance($1.time) }
        }
        guard let nearest, distance(nearest.time) <= Self.reach else {
            throw MediaError(
                code: .unsupported, subject: name,
                message: "No depth is known within 250 ms of a frame.")
        }
        return nearest.matte
    }
}
