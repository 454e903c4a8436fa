import Capture
import Media

/// What is to be shown, read from the options and checked as far as that needs no device.
struct PreviewPlan: Sendable {
    let cameras: [RecordPlan.Choice]
    let microphones: [RecordPlan.Choice]
    let settings: VideoInputSettings
    let profile: CameraProfile?
    let connection: CaptureConnection
    let display: PreviewDisplay
    /// `nil`: until it is stopped.
    let duration: MediaTime?
    let writesJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        cameras = try RecordPlan.choices(arguments, PreviewOptions.camera)
        microphones = try RecordPlan.choices(arguments, PreviewOptions.microphone)
        if cameras.isEmpty, microphones.isEmpty {
            throw CommandFailure(
                .usage, "nothing is left to show: both -c none and -a none were given")
        }
        if cameras.isEmpty, let idle = PreviewOptions.ofFrames.first(where: arguments.isTyped) {
            throw CommandFailure(
                .usage, "\(idle.name) is for a camera: leave it out, or -c none")
        }
        settings = try RecordPlan.cameraSettings(arguments, copies: false)
        profile = cameras.isEmpty ? nil : try CameraProfiles.wanted(arguments)
        connection = try RecordPlan.connection(arguments)
        duration = try arguments(PreviewOptions.duration)
        writesJSON = arguments.isOn(PreviewOptions.json)
        let wish = try arguments(PreviewOptions.display) ?? .automatic
        do throws(CommandFailure) { display = try PreviewDisplay.find(wish) } catch {
            throw CommandFailure(
                error.code,
                "\(error.message); run it in a terminal, or measure what comes with --display none")
        }
    }
}
