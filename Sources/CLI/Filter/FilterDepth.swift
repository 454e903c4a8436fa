import Capture
import Detect
import Media

/// The distances that mattes by depth are made of: those of the recording's first depth camera.
struct FilterDepth: Sendable {
    private let camera: CaptureDevice
    private let output: DepthDataOutput

    /// `nil` where no filter needs them.
    init?(of frames: [CameraFrames], _ plan: RecordPlan) throws(CommandFailure) {
        guard plan.filters?.needsDepth ?? false else { return nil }
        guard let depth = frames.first(where: \.isDepth), frames.contains(where: { !$0.isDepth })
        else {
            throw CommandFailure(
                .usage,
                "--filter matte=depth needs a camera and a depth camera that sees the same: give -c twice"
            )
        }
        camera = depth.device
        do throws(MediaError) {
            output = try DepthDataOutput(lateFrames: .dropOldest, queueLimit: 4)
        } catch { throw CommandFailure(error, while: .reading) }
        let mattes = frames.flatMap(\.processors)
            .compactMap { ($0 as? MatteFilter)?.generator as? DepthMatte }
        output.setHandler { event in
            guard case .sample(let sample) = event, let data = try? DepthData(sample) else {
                return
            }
            for matte in mattes { matte.add(data, at: sample.presentationTime) }
        }
    }

    func add(
        to configuration: inout CaptureConfiguration, _ plan: RecordPlan
    ) throws(MediaError) {
        try configuration.add(
            CaptureDeviceInput(camera: camera, settings: plan.cameraSettings(of: camera)), output,
            plan.connection)
    }
}
