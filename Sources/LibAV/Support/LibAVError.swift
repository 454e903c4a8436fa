internal import CFFmpeg

/// A failure inside the FFmpeg libraries.
package struct LibAVError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    package struct Code: Sendable, Hashable {
        package let name: String
        package init(_ name: String) { self.name = name }

        package static let cannotOpen = Code("cannot-open")
        package static let refusedFormat = Code("refused-format")
        package static let overLimit = Code("over-limit")
        package static let damagedData = Code("damaged-data")
        package static let unsupported = Code("unsupported")
        package static let invalidSettings = Code("invalid-settings")
        package static let outOfOrder = Code("out-of-order")
        package static let deadlinePassed = Code("deadline-passed")
        package static let outOfMemory = Code("out-of-memory")
        package static let failed = Code("failed")
    }

    package let code: Code
    /// The C function that failed, or "" when our own check refused.
    package let function: String
    /// The file, codec or track concerned.
    package let subject: String
    /// libav's error number (negative), or 0.
    package let number: Int32
    /// libav's last log line before the failure.
    package let logLine: String?
    /// One sentence a user can act on.
    package let message: String

    package var description: String { message }

    package init(
        code: Code, function: String, subject: String, number: Int32 = 0, logLine: String? = nil,
        message: String
    ) {
        self.code = code
        self.function = function
        self.subject = subject
        self.number = number
        self.logLine = logLine
        self.message = message
    }

    /// libav's own words for an error number.
    package static func text(for number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard av_strerror(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension LibAVError {
    /// A refusal by our own check.
    static func refused(_ code: Code, _ subject: String, _ message: String) -> LibAVError {
        LibAVError(code: code, function: "", subject: subject, message: message)
    }

    /// A failed C call. `attempt` begins the sentence ("Cannot open the encoder libx264"),
    /// `advice` ends it.
    static func call(
        _ function: String, _ number: Int32, code: Code = .failed, subject: String,
        attempt: String, advice: String = ""
    ) -> LibAVError {
        let line = LibAVLog.lastLine()
        let answer = line.map { "\(text(for: number)) (\($0))" } ?? text(for: number)
        let end = advice.isEmpty ? "." : "; \(advice)."
        return LibAVError(
            code: number == vcap_averror_enomem ? .outOfMemory : code, function: function,
            subject: subject, number: number, logLine: line, message: "\(attempt): \(answer)\(end)")
    }

    /// An allocation that libav refused.
    static func memory(_ function: String, _ subject: String) -> LibAVError {
        LibAVError(
            code: .outOfMemory, function: function, subject: subject, number: vcap_averror_enomem,
            message: "Cannot get memory for \(subject); close other programs or use a smaller size."
        )
    }
}
