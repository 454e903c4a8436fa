public import Capture
public import Media

/// The depth of two cameras that look the same way, while they run: one more output of both, with luma alone and a
/// thread of its own that matches one pair at a time. Pairs are frames of one moment, at most half a frame of the left
/// camera apart. Pairs that come while an earlier one is matched are left out by intent, and counted: a slow machine makes
/// fewer maps, and no other listener of the cameras loses anything. Thread-safe.
///
/// As a source (`SampleSource`) it gives raw frames of `gray16le` as the left camera sees them, stamped with its frames'
/// times, whose format says what the values are (`VideoFormat.depth`); a `Recorder` writes them losslessly. While one
/// of the cameras is away, so is the depth.
///
/// The cameras must be rectified (see `StereoMatcher`).
public final class StereoDepthOutput: DetectingSource {
    /// The listeners of both cameras, while somebody wants depth.
    private struct Link: Sendable {
        let synchronizer: DataOutputSynchronizer
        let registrations: [SharedSource.Registration]
    }

    // immutable
    /// Upright luma of both, in memory of their own: no frame of a driver's is ever held.
    let left = StereoDepthOutput.luma()
    let right = StereoDepthOutput.luma()
    /// What is looked for.
    public let settings: StereoMatcher.Settings
    /// What the maps are.
    public let depthFormat: DepthFormat
    private let runner: StereoRunner
    // guarded by itself
    private let link = Lock<Link?>(nil)

    /// - Parameters:
    ///   - settings: what is looked for, and the pair of cameras.
    ///   - unit: what a step of the values is to be (default: a 16th of a pixel, as it is computed).
    ///   - filter: what is done to the maps (default: nothing).
    /// - Throws: `invalidSetting` for settings, a unit or a filter that none can be; `unsupported` where what matches is
    ///   not installed.
    public convenience init(
        _ settings: StereoMatcher.Settings, unit: DepthUnit? = nil,
        filter: DepthFilter.Settings? = nil
    ) throws(MediaError) {
        let matcher = try StereoMatcher(settings)
        try self.init(matcher, settings, format: matcher.format, unit: unit, filter: filter)
    }

    /// - Parameter format: of what the matcher makes.
    init(
        _ matcher: any PairMatcher, _ settings: StereoMatcher.Settings, format: DepthFormat,
        unit: DepthUnit? = nil, filter: DepthFilter.Settings? = nil
    ) throws(MediaError) {
        let conversion = try unit.map { unit throws(MediaError) in
            try DepthConversion(from: format, to: unit)
        }
        var depth = conversion?.target ?? format
        depth.isFiltered = filter != nil
        self.settings = settings
        depthFormat = depth
        let made = try filter.map { filter throws(MediaError) in try DepthFilter(filter) }
        runner = StereoRunner(
            .init(matcher: matcher, conversion: conversion, filter: made), depth: depth)
    }

    deinit { runner.finish() }

    private static func luma() -> VideoDataOutput {
        VideoDataOutput(wantedFormat: .gray, lateFrames: .dropOldest, queueLimit: 16)
    }

    /// The two cameras.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin {
        let (one, other) = (left.origin, right.origin)
        return SourceOrigin(
            identifier: "stereo:\(one.identifier)+\(other.identifier)",
            name: "Depth of \(one.name) and \(other.name)", driver: "stereo")
    }

    /// Raw frames of `gray16le`, as large as the left camera's upright ones, and what their values are. It names no
    /// rate: how many pairs are matched is the machine's.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { runner.format(of: left.format) }

    /// - Throws: `invalidState` before the output is configured in a session; `unsupported` where the cameras deliver
    ///   frames of two sizes, or such as are too narrow for the disparities looked for.
    public func requireFormat() throws(MediaError) {
        try left.requireFormat()
        try right.requireFormat()
        guard let one = left.format.video, let other = right.format.video else { return }
        try settings.requireMatch(
            (one.width, one.height), (other.width, other.height), of: origin.name,
            remedy: "open both cameras with the same one")
    }

    /// Sets who receives the depth; `nil` removes it, and nothing is matched any more.
    /// - Parameter handler: called on the thread that matches; it must not block.
    /// - Precondition: the output is configured in a session.
    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        let old = link.withLock { link in
            defer { link = nil }
            return link
        }
        old?.synchronizer.setHandler(nil)
        runner.setHandler(handler)
        guard handler != nil else { return }
        let shared = [SharedSource(left), SharedSource(right)]
        let synchronizer = DataOutputSynchronizer(shared.map { $0.branch() })
        synchronizer.setHandler { [runner] in runner.take($0) }
        // behind the synchronizer, which has the frames then that came before
        let registrations = shared.enumerated().map { camera, source in
            source.addHandler { [runner] in runner.take($0, of: camera) }
        }
        link.withLock {
            $0 = Link(synchronizer: synchronizer, registrations: registrations)
        }
    }

    /// What became of the pairs since the output was made.
    public var counts: StereoDepthCounts { runner.counts }

    /// The same for a take's report: pairs that have a map, and why the others have none. What the cameras lost is
    /// reported as lost by the track.
    public var detectionCounts: DetectionCounts {
        let pairs = counts
        var counts = DetectionCounts()
        (counts.analyzed, counts.found) = (pairs.matched, pairs.matched)
        for (why, number) in [(DetectionCounts.Skip.busy, pairs.busy), (.unpaired, pairs.unpaired)]
        where number > 0 { counts.skipped[why] = number }
        return counts
    }

    /// Why a pair could not be matched last; `nil` while all could.
    public var lastFailure: MediaError? { runner.lastFailure }
}

extension CaptureConfiguration {
    /// Connects two cameras to an output of their depth. Cameras that are connected already get one more listener each.
    /// - Parameters:
    ///   - left: the camera whose view the depth is.
    ///   - right: the other one, to the right of it.
    ///   - output: in no session.
    ///   - connection: of both: how the frames are rotated to be upright.
    /// - Throws: `MediaError` saying why it cannot be added, with nothing added.
    public mutating func add(
        left: CaptureDeviceInput, right: CaptureDeviceInput, _ output: StereoDepthOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        guard left.device.id != right.device.id else {
            throw .noPair("\(left.device.name) is named twice, and a pair is of two cameras.")
        }
        guard !connection.isMirrored else {
            throw .noPair("in frames that are mirrored left and right have changed places.")
        }
        for input in [left, right] {
            if case .video(let settings) = input.settings,
                input.device.depth(with: settings) != nil
            {
                throw .noPair("\(input.device.name) delivers distances itself.")
            }
        }
        var changed = self
        try changed.add(left, output.left, connection)
        try changed.add(right, output.right, connection)
        self = changed
    }

    /// Takes an output of depth away, and its cameras when nothing else listens to them. One that is not there is no
    /// error.
    /// - Parameter output: of a pair.
    public mutating func remove(_ output: StereoDepthOutput) {
        remove(output.left)
        remove(output.right)
    }
}

extension MediaError {
    fileprivate static func noPair(_ why: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: "stereo",
            message: "Cannot match a stereo pair: \(why)")
    }
}
