import Capture
import Media
import Play

/// The cameras and microphones of a preview, in one session.
struct PreviewInputs: Sendable {
    struct Camera: Sendable {
        let device: CaptureDevice
        let layer: PreviewLayer
        let meter: ArrivalMeter
        /// Upright (pixels).
        let size: PixelSize
        /// What it promises.
        let nominalRate: FrameRate?

        /// What stands below its picture.
        var caption: [StatusPart] {
            let (counts, arrived) = (layer.counts, meter.counts)
            var parts = [StatusPart(device.name), StatusPart(size.description)]
            if let why = counts.interruption { return parts + [StatusPart(why, .red)] }
            if counts.shown == 0 { return parts + [StatusPart("no frame yet")] }
            if let rate = arrived.rate {
                parts.append(StatusPart("\(Amounts.decimal(rate, 1)) fps"))
            }
            if let reach = layer.shownDistances { parts.append(StatusPart(Self.words(reach))) }
            let isBad = arrived.lost > 0
            parts.append(StatusPart("\(arrived.lost) dropped", isBad ? .red : nil))
            return parts
        }

        /// The ends of the colours of depth.
        static func words(_ distances: ClosedRange<Double>) -> String {
            "\(Amounts.decimal(distances.lowerBound, 2)) to \(Amounts.decimal(distances.upperBound, 2)) m"
        }
    }

    struct Microphone: Sendable {
        let device: CaptureDevice
        let levels: MicrophoneLevels
        let format: AudioFormat?
    }

    let session: CaptureSession
    let cameras: [Camera]
    let microphones: [Microphone]

    static func open(_ plan: PreviewPlan, aliases: [String: String]) async throws -> PreviewInputs {
        let choice = DeviceChoice(aliases: aliases)
        let (found, sounds) = try await NamedThread.run("vcap-work") {
            try RecordInputs.requireEachOnce(plan.cameras, .video, "--camera", choice)
            try RecordInputs.requireEachOnce(plan.microphones, .audio, "--mic", choice)
            return (
                try plan.cameras.map { try RecordInputs.camera($0, choice, plan.settings) },
                try plan.microphones.compactMap { try RecordInputs.microphone($0, choice) }
            )
        }
        try plan.profile?.check(found)
        let session = CaptureSession(discovery: choice.discovery)
        do {
            var cameras: [Camera] = []
            for device in found {
                cameras.append(try await add(device, plan, choice, to: session))
            }
            var microphones: [Microphone] = []
            for device in sounds {
                let levels = MicrophoneLevels()
                try await session.configure {
                    try $0.add(CaptureDeviceInput(microphone: device), levels.output)
                }
                let grant = await session.grant(of: device)
                microphones.append(
                    Microphone(
                        device: grant?.device ?? device, levels: levels,
                        format: levels.output.format.audio))
            }
            return PreviewInputs(session: session, cameras: cameras, microphones: microphones)
        } catch {
            try? await session.stop()
            throw error
        }
    }

    private static func add(
        _ device: CaptureDevice, _ plan: PreviewPlan, _ choice: DeviceChoice,
        to session: CaptureSession
    ) async throws -> Camera {
        let settings = plan.settings.following(plan.profile, of: device)
        let input = CaptureDeviceInput(camera: device, settings: settings)
        let (layer, meter) = (PreviewLayer(), ArrivalMeter())
        try await session.configure { try $0.add(input, meter.output) }
        try await layer.add(input, plan.connection, to: session)
        guard let grant = await session.grant(of: device), let format = grant.format.video else {
            throw CommandFailure(.noDevice, "\(device.name) went away while it was opened")
        }
        Console.shared.detail("\(grant.device.name): \(grant.explanation)")
        ClipCameraNotes.warn(plan.settings, grant.device, format)
        try await CameraWishes.report(
            settings, of: grant.device, choice.discovery, orientation: grant.orientation)
        return Camera(
            device: grant.device, layer: layer, meter: meter, size: layer.cameraSize,
            nominalRate: format.nominalRate)
    }
}
