import Capture
import Media

/// What was asked of a camera that is a movie (`file:`), which has its own size and rate only.
enum ClipCameraNotes {
    /// Says what of it has no effect.
    static func warn(_ wanted: VideoInputSettings, _ device: CaptureDevice, _ format: VideoFormat?)
    {
        for line in warnings(wanted, device, format) { Console.shared.warning(line) }
    }

    static func warnings(
        _ wanted: VideoInputSettings, _ device: CaptureDevice, _ format: VideoFormat?
    ) -> [String] {
        guard device.driver == "file", let format else { return [] }
        var lines: [String] = []
        let size = PixelSize(format.width, format.height)
        if let asked = wanted.size, asked != size {
            lines.append("--size \(asked) does nothing: \(device.name) is a movie of \(size)")
        }
        if case .exactly(let rate) = wanted.rate, rate != format.nominalRate {
            let own = format.nominalRate.map { "of \($0) fps" } ?? "with times of its own"
            lines.append("--fps \(rate) does nothing: \(device.name) is a movie \(own)")
        }
        return lines
    }
}
