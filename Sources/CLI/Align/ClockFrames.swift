import Compose
import Detect
import Media
import Reading

/// Finds running clocks in a recording: in what was found while it was recorded, and in its frames.
struct ClockFrames: Sendable {
    private let detector: CodeDetector

    /// How much of a recording without a track of codes is looked at (seconds), …
    private static let span = MediaTime.seconds(120)
    /// … and how long each frame of a clock that is in view; behind it one now and then.
    private static let enough = MediaTime.seconds(5)
    private static let later = MediaTime.milliseconds(500)
    /// A track says that the clock was in view at a few frames.
    private static let lead = MediaTime.milliseconds(500)
    /// Threads that decode (count).
    private static let decodingThreads = 2

    /// - Throws: `unsupported` where what detects codes is not installed.
    init() throws(MediaError) { detector = try CodeDetector(types: [.qr]) }

    /// - Parameter progress: hears the movie time that was looked at; what it throws ends the work.
    func readings(
        in asset: Asset, _ progress: (MediaTime) throws(MediaError) -> Void
    ) throws(MediaError) -> [ClockReading] {
        let recorded = try recorded(in: asset)
        let first = recorded.map(\.time).min()
        return recorded + (try seen(in: asset, from: first.map { $0 - Self.lead }, progress))
    }

    private func recorded(in asset: Asset) throws(MediaError) -> [ClockReading] {
        var readings: [ClockReading] = []
        for track in asset.tracks(of: .metadata)
        where track.format?.metadata.map(MachineReadableCode.areIn) ?? false {
            let output = try AssetReaderTrackOutput(asset: asset, track: track, settings: .metadata)
            let reader = AssetReader()
            try reader.add(output)
            try reader.start()
            defer { reader.cancel() }
            while let sample = try output.next() {
                guard let group = sample.metadata else { continue }
                readings += MachineReadableCode.codes(in: group).compactMap(Self.reading)
            }
        }
        return readings
    }

    /// Looks at frames, at fewer of them when a clock has been in view for long enough.
    private func seen(
        in asset: Asset, from start: MediaTime?, _ progress: (MediaTime) throws(MediaError) -> Void
    ) throws(MediaError) -> [ClockReading] {
        guard let track = asset.tracks(of: .video).first(where: { $0.format != nil }) else {
            return []
        }
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(nil), threads: Self.decodingThreads)
        let reader = AssetReader()
        try reader.add(output)
        let from = max(.zero, start ?? .zero)
        reader.timeRange = MediaTimeRange(start: from, duration: Self.span)
        try reader.start()
        defer { reader.cancel() }
        var readings: [ClockReading] = []
        var next = from
        while let frame = try output.next() {
            let time = frame.presentationTime
            try progress(time)
            // one that is played again, and another one, is to be noticed
            if let first = readings.first, time - first.time > Self.enough {
                if time < next { continue }
                next = time + Self.later
            }
            readings += try detector.codes(in: frame).compactMap(Self.reading)
        }
        return readings
    }

    private static func reading(_ code: MachineReadableCode) -> ClockReading? {
        guard code.type == .qr, let text = code.stringValue,
            case .slate(let slate) = Slate.reading(text), let clock = slate.clock
        else { return nil }
        return ClockReading(
            time: code.time, clock: clock.name, milliseconds: clock.milliseconds, step: clock.step)
    }
}
