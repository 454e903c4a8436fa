import Detect
import Media

/// Prints what frames show: a line of JSON for each frame that shows something, or for people a line for each thing
/// that comes into view.
struct DetectionPrinter: Sendable {
    /// What one frame shows.
    struct Frame: Sendable {
        /// Of the frame (a movie's time; of a camera the host clock).
        var time: MediaTime
        /// Since when the camera runs, or a movie begins.
        var start: MediaTime
        /// How long it is known to hold.
        var duration: MediaTime?
        /// Of the upright frame (pixels).
        var size: PixelSize?
        /// The movie's metadata track, where it was found in one.
        var track: Int?
        var codes: [MachineReadableCode]
        var objects: [DetectedObject]

        init(
            time: MediaTime, start: MediaTime = .zero, duration: MediaTime? = nil,
            size: PixelSize? = nil, track: Int? = nil, found: [any MetadataObject]
        ) {
            (self.time, self.start, self.duration) = (time, start, duration)
            (self.size, self.track) = (size, track)
            codes = found.compactMap { $0 as? MachineReadableCode }
            objects = found.compactMap { $0 as? DetectedObject }
        }
    }

    let writesJSON: Bool
    /// Frames that were looked at.
    private(set) var frames = 0
    private(set) var framesThatShow = 0
    /// When each code and object was seen last.
    private var seen: [String: MediaTime] = [:]

    /// For so long one may be out of view without coming into view again.
    private static let absence = MediaTime.seconds(1)

    init(writesJSON: Bool) { self.writesJSON = writesJSON }

    /// - Returns: what is to be printed; nil: nothing.
    mutating func take(_ frame: Frame) -> String? {
        frames += 1
        guard !(frame.codes.isEmpty && frame.objects.isEmpty) else { return nil }
        framesThatShow += 1
        if writesJSON { return Self.json(frame).compact + "\n" }
        let shown =
            frame.codes.map { ($0.type, $0.bounds, Self.content($0)) }
            + frame.objects.map { ($0.type, $0.bounds, "#\($0.objectID)") }
        let lines = shown.filter { isNew("\($0.rawValue) \($2)", frame) }
            .map { Self.line($0, $1, $2, frame) }
        return lines.isEmpty ? nil : lines.joined()
    }

    private mutating func isNew(_ content: String, _ frame: Frame) -> Bool {
        let last = seen.updateValue(
            frame.time + (frame.duration ?? .zero), forKey: "\(frame.track ?? 0) \(content)")
        return last.map { frame.time - $0 > Self.absence } ?? true
    }

    private static func json(_ frame: Frame) -> JSONValue {
        .members([
            "schema": "vcap.detect/1",
            "time": .string(frame.time.description),
            "seconds": .shortNumber(
                ((frame.time - frame.start).approximateSeconds * 1e6).rounded() / 1e6),
            "duration": frame.duration.map { .string($0.description) },
            "width": frame.size.map { .integer($0.width) },
            "height": frame.size.map { .integer($0.height) },
            "track": frame.track.map { .integer($0) },
            "codes": frame.codes.isEmpty ? nil : .array(frame.codes.map(\.json)),
            "objects": frame.objects.isEmpty ? nil : .array(frame.objects.map(\.json)),
        ])
    }

    private static func line(
        _ type: MetadataObjectType, _ bounds: NormalizedRect, _ content: String, _ frame: Frame
    ) -> String {
        let time = Amounts.clock(frame.time - frame.start, fractionDigits: 3)
        var words = [time, type.rawValue.padded(to: 10)]
        if let size = frame.size {
            func pixels(_ part: Double, of side: Int) -> Int {
                Int((part * Double(side)).rounded())
            }
            words.append(
                ("\(pixels(bounds.width, of: size.width))x\(pixels(bounds.height, of: size.height))"
                    + "+\(pixels(bounds.x, of: size.width))+\(pixels(bounds.y, of: size.height))")
                    .padded(to: 17))
        }
        return (words + [content]).joined(separator: "  ") + "\n"
    }

    /// Text in one line, or bytes in hexadecimal digits.
    private static func content(_ code: MachineReadableCode) -> String {
        if let text = code.stringValue { return VisibleText.line(text) }
        return "hex " + (code.json["bytes"]?.text ?? "")
    }
}
