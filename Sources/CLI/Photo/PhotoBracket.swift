import Capture
import Media

/// The bracket of a run, if it is one, and the controls that it has changed. Thread-safe.
final class PhotoBracket: Sendable {
    private struct State {
        var bracketing: ExposureBracketing?
    }

    private let state = Lock(State())

    /// - Throws: why the camera cannot do it; nothing is set yet.
    func prepare(
        _ exposures: [BracketedExposure], of device: CaptureDevice, _ discovery: DeviceDiscovery
    ) throws(MediaError) {
        guard !exposures.isEmpty else { return }
        let bracketing = try ExposureBracketing(of: device, exposures, discovery: discovery)
        state.withLock { $0.bracketing = bracketing }
    }

    /// A photo of one exposure; `nil` where the run is no bracket.
    func capturePhoto(_ index: Int, with output: PhotoOutput) async throws -> CapturedPhoto? {
        guard let bracketing = state.withLock({ $0.bracketing }) else { return nil }
        let photo = try await bracketing.capturePhoto(index, with: output)
        if photo.isExposureSeen == false {
            let exposure = photo.exposure.map { " (\(Self.text($0)))" } ?? ""
            Console.shared.warning(
                "no frame shows the exposure of photo \(index + 1)\(exposure), which may be that of the photo "
                    + "before: the scene is black or white, its light changes, the step is under a third "
                    + "of an EV, or \(bracketing.device.name) ignores the control")
        }
        return photo
    }

    private static func text(_ exposure: GrantedExposure) -> String {
        if let bias = exposure.bias {
            let rounded = (bias * 100).rounded() / 100
            return "\(rounded > 0 ? "+" : "")\(rounded) EV"
        }
        let milliseconds = (exposure.duration ?? .zero).approximateSeconds * 1000
        return "\((milliseconds * 10).rounded() / 10) ms"
    }

    /// Sets the controls back, as often as it is asked; a failure is reported. Blocks.
    func restore() {
        guard let bracketing = state.withLock({ $0.bracketing }) else { return }
        do throws(MediaError) {
            try bracketing.restore()
            Console.shared.detail("the exposure of \(bracketing.device.name) is as it was before")
        } catch {
            Console.shared.warning(
                "the exposure of \(bracketing.device.name) is not as it was before: \(error.message)"
            )
        }
    }
}
