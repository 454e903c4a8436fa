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

extension PhotoDepth {
    /// Why a photo has none, as a clause; `nil` where it has.
    var absence: String? {
        guard data == nil else { return nil }
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
        guard let absence else { return }
        Console.shared.warning("\(path) is written without depth: \(absence)")
    }
}
