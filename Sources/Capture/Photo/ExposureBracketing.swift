internal import Glibc
internal import LibAV
public import Media

/// A row of photos of one scene, exposed differently by the camera's controls, which are set back afterwards.
/// Thread-safe; what sets controls blocks for the time of a few ioctls.
public final class ExposureBracketing: Sendable {
    private struct State {
        /// What was set and is not set back yet.
        var isSet = false
        /// Whether nothing is to be set any more.
        var isOver = false
        /// Mean brightness of the last photo (0…255).
        var level: Double?
        /// Against the exposure before the row (EV).
        var change: Double? = 0
        /// With which frame behind a setting it was seen, at the latest (from 1).
        var seen: Int?
    }

    // immutable
    /// The camera.
    public let device: CaptureDevice
    private let exposures: [BracketedExposure]
    private let plan: ExposurePlan
    private let controls: DeviceControls
    private let clock: any MediaClock
    private let state = Lock(State())

    /// Reads the camera's controls; nothing is set yet.
    /// - Parameters:
    ///   - device: a camera, best one that runs: what it exposes now is what biases are counted from.
    ///   - exposures: in the order of the photos.
    ///   - discovery: what found the device.
    ///   - clock: the session's.
    /// - Throws: `invalidSetting` where the camera has no controls for it, or not these exposures.
    public init(
        of device: CaptureDevice, _ exposures: [BracketedExposure],
        discovery: DeviceDiscovery = DeviceDiscovery(), clock: any MediaClock = HostClock()
    ) throws(MediaError) {
        self.device = device
        self.exposures = exposures
        self.clock = clock
        controls = try DeviceControls(of: device, discovery: discovery)
        plan = try ExposurePlan(exposures, among: controls.list(), of: device)
    }

    /// A photo of one exposure: sets it, and waits for a frame that is surely exposed so.
    /// - Parameters:
    ///   - index: of the exposure.
    ///   - output: of the camera, in a session that runs.
    /// - Returns: the photo; `isExposureSeen` says whether its brightness shows the exposure.
    /// - Throws: `invalidSetting` or `deviceBusy` when the camera refuses, what `capturePhoto` throws, and
    ///   `CancellationError`.
    public func capturePhoto(
        _ index: Int, with output: PhotoOutput
    ) async throws -> CapturedPhoto {
        let step = plan.steps[index]
        let frame = output.format.nominalRate?.frameDuration ?? .milliseconds(33)
        if state.withLock({ $0.level }) == nil {
            let level = try await usualLevel(output, frame)
            state.withLock { $0.level = level }
        }
        let exposure = try await NamedThread.run("vcap-exposure") { try self.set(index) }
        let start = clock.now()
        var settling = state.withLock { state in
            let change = step.change.flatMap { now in state.change.map { now - $0 } }
            return ExposureSettling(before: state.level, change: change, known: state.seen)
        }
        var shutter = start
        var last: MediaTime?
        while true {
            try Task.checkCancellation()
            var photo = try await output.capturePhoto(at: shutter)
            let time = photo.presentationTime
            shutter = max(time + frame, shutter)
            // neither one from before, nor one twice
            guard time >= start, last.map({ time > $0 }) ?? true else { continue }
            last = time
            let level = try await Self.level(of: photo)
            let number = (time - start).approximateSeconds / frame.approximateSeconds
            let verdict = settling.take(level, number: Int(number) + 1)
            if verdict == .waits { continue }
            photo.exposure = exposure
            photo.isExposureSeen = verdict == .settled
            let seen = verdict == .settled ? settling.first : nil
            state.withLock { state in
                (state.level, state.change) = (level, step.change)
                state.seen = [state.seen, seen].compactMap { $0 }.max()
            }
            return photo
        }
    }

    /// Of two frames that are equally bright: a lightning is not what changes are counted from.
    private func usualLevel(_ output: PhotoOutput, _ frame: MediaTime) async throws -> Double {
        var photo = try await output.capturePhoto()
        var level = try await Self.level(of: photo)
        for _ in 0..<ExposureSettling.most {
            let next = try await output.capturePhoto(at: photo.presentationTime + frame)
            guard next.presentationTime > photo.presentationTime else { continue }
            let former = level
            (photo, level) = (next, try await Self.level(of: next))
            if !ExposureSettling.differs(level, former, ExposureSettling.steady) { break }
        }
        return level
    }

    /// - Returns: what the driver made of it.
    private func set(_ index: Int) throws(MediaError) -> GrantedExposure {
        let step = plan.steps[index]
        // with the lock held, so that what is set back at the same time stays so
        return try state.withLock { state throws(MediaError) in
            guard !state.isOver else {
                throw MediaError(
                    code: .cancelled, subject: device.id,
                    message: "The exposure of \(device.name) is set back: the row is over.")
            }
            state.isSet = true
            let taken = try controls.set(step.values.map { ($0.name, $0.value) })
            let time = taken.first { $0.role == .exposureTime }
            guard let value = time?.value, let wanted = step.granted.duration else {
                return step.granted
            }
            // drivers round
            var granted = step.granted
            granted.duration = .nanoseconds(value * 100_000)
            if let bias = granted.bias, value > 0, wanted > .zero {
                let ratio = Double(value * 100_000) / Double(wanted.nanoseconds())
                granted.bias = bias + log2(ratio)
            }
            return granted
        }
    }

    /// Sets the controls back to what they were before the row; more than once is the same. Blocks.
    /// - Throws: why one of them could not be; the others are set back nevertheless.
    public func restore() throws(MediaError) {
        let failure = state.withLock { state -> MediaError? in
            state.isOver = true
            guard state.isSet else { return nil }
            state.isSet = false
            var first: MediaError?
            for setting in plan.former {
                do throws(MediaError) {
                    try controls.set([(setting.name, setting.value)])
                } catch { first = first ?? error }
            }
            return first
        }
        if let failure { throw failure }
    }

    /// Mean brightness (0…255).
    private static func level(of photo: CapturedPhoto) async throws(MediaError) -> Double {
        try await NamedThread.run("vcap-exposure") { () throws(MediaError) in
            let (pixels, format) = try photo.frame()
            var small = format
            small.coding = .raw(.gray)
            (small.width, small.height) = (64, 36)
            let shrunk = try PixelConverter(from: format, to: small).convert(pixels)
            let sum = shrunk.withPlane(0) { plane in
                (0..<plane.rows).reduce(0) { sum, row in
                    (0..<64).reduce(sum) { $0 + Int(plane.row(row)[$1]) }
                }
            }
            return Double(sum) / Double(64 * 36)
        }
    }
}
