public import Media

/// How a filter finds the faces that it covers.
public struct FaceFilterSettings: Sendable, Hashable {
    /// *from one frame that is looked at to the next (seconds; 0, each frame, to 250 ms; default 100 ms, which a machine
    /// of two processors does beside a recording). A face in the frames between is wherever it may be between.*
    public var interval: MediaTime
    /// *what is covered around what the detector calls a face (parts of its sides; 0…1; default 0.3)*
    public var margin: Double
    /// *whether faces are looked for in all rotations, and smaller ones: takes up to twenty times as long, and is for
    /// recorded movies (default no)*
    public var isThorough: Bool

    /// - Parameters:
    ///   - interval: from one frame that is looked at to the next.
    ///   - margin: what is covered around a face (parts of its sides).
    ///   - isThorough: whether faces are looked for in all rotations.
    public init(
        interval: MediaTime = .nanoseconds(100_000_000), margin: Double = 0.3,
        isThorough: Bool = false
    ) {
        (self.interval, self.margin, self.isThorough) = (interval, margin, isThorough)
    }

    /// - Throws: `invalidSetting`, naming what none can be.
    public func validate() throws(MediaError) {
        guard (MediaTime.zero...FaceFollower.reach).contains(interval) else {
            throw MediaError(
                code: .invalidSetting, subject: "interval",
                message: "Faces are looked for every 0 to 250 ms.")
        }
        guard (0...1).contains(margin) else {
            throw MediaError(
                code: .invalidSetting, subject: "margin",
                message: "What is covered around a face is 0 to 1 of its sides, not \(margin).")
        }
    }

    /// What a filter of these settings looks with.
    func looks() throws(MediaError) -> FaceLooks {
        try validate()
        let detector = try ObjectDetector(types: [.face], isThorough: isThorough)
        return FaceLooks(detector, interval: interval, margin: margin)
    }
}

extension FrameProcessor {
    /// Filters work on one kind of frame, which every output and every movie can be had in.
    func requirePlanar(_ format: VideoFormat) throws(MediaError) {
        guard format.pixelFormat == .yuv420p, format.orientation == .upright else {
            throw MediaError(
                code: .unsupported, subject: name,
                message:
                    "The filter \(name) takes upright frames of yuv420p: want that format of the "
                    + "output, and its rotation policy pixels.")
        }
    }
}
