internal import CFFmpeg
package import Media

extension MediaError {
    /// libav's own words for an error number.
    package static func libavText(for number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard av_strerror(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A refusal by our own check.
    static func refused(_ code: Code, _ subject: String, _ message: String) -> MediaError {
        MediaError(code: code, function: "", subject: subject, message: message)
    }

    /// A failed C call. `attempt` begins the sentence ("Cannot open the encoder libx264"),
    /// `advice` ends it. Memory that a file asks for and does not get is distinguished from its damage.
    static func call(
        _ function: String, _ number: Int32, code: Code, subject: String,
        attempt: String, advice: String = ""
    ) -> MediaError {
        let isMemory = number == vcap_averror_enomem && code != .encoderFailed
        let line = LibAVLog.lastLine()
        let answer = line.map { "\(libavText(for: number)) (\($0))" } ?? libavText(for: number)
        let end = advice.isEmpty ? "." : "; \(advice)."
        return MediaError(
            code: isMemory ? .outOfMemory : code, function: function, subject: subject,
            errno: number, logLine: line, message: "\(attempt): \(answer)\(end)")
    }

    /// An allocation that libav refused.
    /// - Parameter code: an encoder's or muxer's is that it failed.
    static func memory(
        _ function: String, _ subject: String, code: Code = .outOfMemory
    ) -> MediaError {
        MediaError(
            code: code, function: function, subject: subject, errno: vcap_averror_enomem,
            message: "Cannot get memory for \(subject); close other programs or use a smaller size."
        )
    }
}
