import Capture
import Media

/// The camera or the pair of cameras that brings photos their depth.
enum PhotoDepthInputs {
    /// Checks what is known before a device is opened. Blocks.
    static func find(
        _ plan: PhotoPlan, beside color: CaptureDevice, _ choice: DeviceChoice
    ) throws -> CaptureDevice? {
        guard let words = plan.depthCamera else { return nil }
        let device = try choice.find(words, .video)
        if device.id == color.id, DeviceChoice.isReal(device) {
            throw CommandFailure(
                .usage,
                "--depth-camera is \(device.name), which takes the photo already: name the other camera"
            )
        }
        if try color.depth(with: plan.settings(for: color)) != nil {
            throw CommandFailure(
                .usage,
                "\(color.name) delivers distances itself: name a camera that shows light with --camera"
            )
        }
        if plan.stereo == nil, device.depth(with: plan.depthSettings) == nil {
            guard plan.depthSettings.depth == nil else {
                throw CommandFailure(
                    .usage,
                    "--depth-camera \(device.name) delivers no depth: --depth is of a camera with Z16 or Y16, or of a "
                        + "movie of 16-bit grey as FFV1")
            }
            throw CommandFailure(
                .usage,
                "--depth-camera \(device.name) delivers no depth: choose one with Z16, say with --depth what the "
                    + "values of its Y16 are, or with --stereo that the two are a pair")
        }
        return device
    }

    /// Adds the source of depth to a session and gives it to an output of photos.
    static func add(
        _ device: CaptureDevice, beside color: CaptureDeviceInput, to session: CaptureSession,
        _ photos: PhotoOutput, _ plan: PhotoPlan
    ) async throws {
        if let wish = plan.stereo {
            let output = try wish.output(nil)
            try await session.configure { configuration in
                try configuration.add(
                    left: color,
                    right: CaptureDeviceInput(camera: device, settings: plan.settings), output,
                    plan.connection)
            }
            return try photos.setDepthSource(output)
        }
        let output = try DepthDataOutput()
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(camera: device, settings: plan.depthSettings), output,
                plan.connection)
        }
        try photos.setDepthSource(output)
    }
}

extension PhotoDepthInputs {
    /// How long a camera may take to deliver its first map, which the first photo waits for: what computes it may be slow
    /// (seconds).
    private static let timeout = MediaTime.seconds(5)

    /// Waits until there is a map; a camera that delivers nothing is not waited for for ever.
    static func wait(for photos: PhotoOutput, _ clock: HostClock) async throws {
        let start = clock.now()
        var isSaid = false
        while !photos.hasDepthData, clock.now() - start < timeout {
            try await Task.sleep(nanoseconds: 10_000_000)
            guard !isSaid, clock.now() - start > .seconds(1) else { continue }
            isSaid = true
            Console.shared.notice(
                "waiting for the depth camera, which has delivered nothing yet, for "
                    + "\(Amounts.decimal(timeout.approximateSeconds, 0)) s at most")
        }
    }
}

/// The depth of a photo, which may have to be computed yet. Thread-safe.
final class AwaitedDepth: Sendable {
    private let photo = BlockingLock<CapturedPhoto?>(nil)

    /// Asks for it, at once.
    init(of photo: CapturedPhoto, from output: PhotoOutput) {
        output.findDepth(of: photo) { [own = self.photo] found in own.withLock { $0 = found } }
    }

    /// Blocks until it is there, or is not to be had.
    /// - Returns: the photo with it.
    func wait() -> CapturedPhoto { photo.wait { $0 } }
}

extension PhotoDepth {
    /// Why a photo has none, as a clause; `nil` where it has.
    var absence: String? {
        guard data == nil else { return nil }
        if let interruption {
            let sentence =
                interruption.hasSuffix(".") ? String(interruption.dropLast()) : interruption
            return "\(origin.name) has no map of its moment (\(sentence))"
        }
        let milliseconds = Amounts.decimal(reach.approximateSeconds * 1000, 0)
        return switch outcome {
        case .dropped: "\(origin.name) lost the map of its moment"
        case .late: "\(origin.name) delivered nothing in time"
        case .absent, .delivered:
            "\(origin.name) had no map within \(milliseconds) ms of the photo"
        }
    }

    /// Says of a photo that is written what it lacks.
    func warn(of path: String) {
        if let data, !data.knowsAnyDistance {
            Console.shared.warning(
                "the depth in \(path) knows no distance: all is too near or too far for \(origin.name) or its unit"
            )
        }
        guard let absence else { return }
        Console.shared.warning("\(path) is written without depth: \(absence)")
    }
}
