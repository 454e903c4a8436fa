public import Media

/// A matte of what moves, or has come into view: the foreground is what differs from the scene as it was learnt. The
/// camera must stand still. Thread-safe; of one camera or movie.
///
/// The first second is taken for the empty scene. What stands still for long becomes part of it, slowly. Where most of
/// the frame changes at once, as when a camera wakes or light is switched, the scene begins anew: its first frame has no
/// foreground.
public final class MotionMatte: MatteGenerator {
    /// How the scene is learnt.
    public struct Settings: Sendable, Hashable {
        /// *how much a point must differ from the scene to be foreground (codes of 8 bits; 1…128; default 14)*
        public var threshold: Int
        /// *after how long something that stands still is scene (seconds; 1…3,600; default 60)*
        public var memory: Double

        /// - Parameters:
        ///   - threshold: how much a point must differ (codes of 8 bits).
        ///   - memory: after how long something that stands still is scene (seconds).
        public init(threshold: Int = 14, memory: Double = 60) {
            (self.threshold, self.memory) = (threshold, memory)
        }

        /// - Throws: `invalidSetting`, naming what none can be.
        public func validate() throws(MediaError) {
            guard (1...128).contains(threshold), (1...3600).contains(memory) else {
                throw MediaError(
                    code: .invalidSetting, subject: "motion",
                    message: "A matte by motion has a threshold of 1 to 128 and a memory of 1 to "
                        + "3600 s, not \(threshold) and \(memory).")
            }
        }
    }

    // immutable
    public let name = "motion"
    /// How the scene is learnt.
    public let settings: Settings

    // guarded by itself
    private let scene: Lock<MotionScene>

    /// - Parameter settings: how the scene is learnt.
    /// - Throws: `invalidSetting` for settings that none can be.
    public init(_ settings: Settings = Settings()) throws(MediaError) {
        try settings.validate()
        self.settings = settings
        scene = Lock(MotionScene(settings))
    }

    public func matte(of frame: SampleBuffer) throws(MediaError) -> Matte {
        guard let pixels = frame.pixelBuffer, pixels.format == .yuv420p else {
            throw MediaError(
                code: .unsupported, subject: name,
                message: "A matte by motion is made of frames of yuv420p.")
        }
        return scene.withLock { $0.matte(of: pixels, at: frame.presentationTime) }
    }
}

/// The scene without what moves, in cells of two by two pixels, whose three components are averages. A pure value.
struct MotionScene: Sendable {
    private let threshold: Float
    private let memory: Double
    private var size: PixelSize?
    private var time: MediaTime?
    /// When the scene began.
    private var start = MediaTime.zero
    /// Cells of the frame before that differed from the scene (of all of them).
    private var share = 0.0
    /// Of each cell its luma, and both chromas.
    private var mean: [Float] = []
    /// How much its luma changes by itself (codes).
    private var noise: [Float] = []

    /// The scene before the last one, which may come back: a flash, or a frame that is black.
    private var former: (mean: [Float], noise: [Float], start: MediaTime, time: MediaTime)?

    /// For so long everything is scene (seconds).
    private static let learning = 1.0
    /// Above such a share of cells, so many more than in the frame before, the scene is another (of all of them).
    private static let (most, jump) = (0.7, 0.3)

    init(_ settings: MotionMatte.Settings) {
        (threshold, memory) = (Float(settings.threshold), settings.memory)
    }

    mutating func matte(of frame: PixelBuffer, at time: MediaTime) -> Matte {
        let (width, height) = (max(frame.width / 2, 1), max(frame.height / 2, 1))
        let cells = Self.cells(frame, width, height)
        let size = PixelSize(width, height)
        let elapsed = self.time.map { (time - $0).approximateSeconds } ?? 0
        if self.size != size || elapsed < 0 {
            begin(cells, at: time)
            former = nil
        }
        (self.size, self.time) = (size, time)
        let isNew = (time - start).approximateSeconds < Self.learning
        var foreground = learn(cells, Float(min(max(elapsed, 0), 1)), isNew: isNew)
        let differing = foreground.reduce(0) { $0 + Int($1) }
        let share = Double(differing) / Double(max(foreground.count, 1))
        if share > Self.most, share - self.share > Self.jump {
            foreground = another(cells, at: time)
        } else {
            self.share = share
        }
        return Matte(
            Self.smoothed(foreground, width, height), width: width, height: height)
    }

    /// Nearly everything differs: it is the scene before, or a new one.
    private mutating func another(_ cells: [Float], at time: MediaTime) -> [UInt8] {
        let (old, now) = (former, (mean, noise, start, time))
        if let old, old.mean.count == cells.count, time - old.time < .seconds(1) {
            former = nil
            (mean, noise, start) = (old.mean, old.noise, old.start)
            let again = learn(cells, 0, isNew: false)
            let part = Double(again.reduce(0) { $0 + Int($1) }) / Double(max(again.count, 1))
            if part <= Self.most {
                share = part
                return again
            }
        } else {
            former = now
        }
        begin(cells, at: time)
        return Array(repeating: 0, count: noise.count)
    }

    /// A scene of which one frame is known.
    private mutating func begin(_ cells: [Float], at time: MediaTime) {
        (mean, start, share) = (cells, time, 0)
        noise = Array(repeating: 2, count: cells.count / 3)
    }

    /// - Parameters:
    ///   - elapsed: since the frame before (seconds).
    ///   - isNew: whether what differs is learnt as quickly as what does not.
    private mutating func learn(
        _ cells: [Float], _ elapsed: Float, isNew: Bool
    ) -> [UInt8] {
        let quick = min(elapsed / 0.5, 1)
        let slow = min(elapsed / Float(memory), 1)
        var foreground = [UInt8](repeating: 0, count: noise.count)
        for place in foreground.indices {
            let base = place * 3
            let luma = abs(cells[base] - mean[base])
            let chroma = max(
                abs(cells[base + 1] - mean[base + 1]), abs(cells[base + 2] - mean[base + 2]))
            let differs = luma > max(threshold, 3.5 * noise[place]) || chroma > threshold * 0.7
            foreground[place] = differs ? 1 : 0
            let rate = differs && !isNew ? slow : quick
            for part in base..<base + 3 { mean[part] += (cells[part] - mean[part]) * rate }
            if !differs { noise[place] += (luma * 1.25 - noise[place]) * quick * 0.2 }
        }
        return foreground
    }

    private static func cells(_ frame: PixelBuffer, _ width: Int, _ height: Int) -> [Float] {
        frame.withPlanes { planes in
            var cells = [Float](repeating: 0, count: width * height * 3)
            let last = (x: frame.width - 1, y: frame.height - 1)
            for row in 0..<height {
                let lines = (planes[0].row(row * 2), planes[0].row(min(row * 2 + 1, last.y)))
                let (blue, red) = (planes[1].row(row), planes[2].row(row))
                for column in 0..<width {
                    let (left, right) = (column * 2, min(column * 2 + 1, last.x))
                    let sum =
                        Int(lines.0[left]) + Int(lines.0[right]) + Int(lines.1[left])
                        + Int(lines.1[right])
                    let base = (row * width + column) * 3
                    cells[base] = Float(sum) / 4
                    cells[base + 1] = Float(blue[column])
                    cells[base + 2] = Float(red[column])
                }
            }
            return cells
        }
    }

    /// Specks are nothing and pinholes are filled: each cell is what most of the nine around it are; edges are soft.
    private static func smoothed(_ cells: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let solid = sums(cells, width, height).map { $0 >= 5 ? UInt8(1) : 0 }
        // half of the nine is an edge, and what is in the middle of it stays
        let table = (0...9).map { UInt8(min(max(($0 - 2) * 255 / 5, 0), 255)) }
        return sums(solid, width, height).map { table[Int($0)] }
    }

    /// Of each cell the sum of the nine around it; those at an edge count as what lies outside.
    private static func sums(_ cells: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        var across = [UInt8](repeating: 0, count: cells.count)
        var sums = across
        cells.withUnsafeBufferPointer { cells in
            across.withUnsafeMutableBufferPointer { across in
                for row in 0..<height {
                    let line = row * width
                    for column in 0..<width {
                        across[line + column] =
                            cells[line + max(column - 1, 0)] + cells[line + column]
                            + cells[line + min(column + 1, width - 1)]
                    }
                }
            }
        }
        across.withUnsafeBufferPointer { across in
            sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<height {
                    let (above, line) = (max(row - 1, 0) * width, row * width)
                    let below = min(row + 1, height - 1) * width
                    for column in 0..<width {
                        sums[line + column] =
                            across[above + column] + across[line + column] + across[below + column]
                    }
                }
            }
        }
        return sums
    }
}
