internal import Glibc
package import Media

/// What a file says of a photo: when, with what and how it lies. A pure value.
///
/// Source: Exif 2.32 (JEITA CP-3451E), 4.5 and 4.6; TIFF 6.0, section 2.
package struct ExifBlock: Sendable, Hashable {
    /// Local time with its offset.
    package struct Moment: Sendable, Hashable {
        /// "2026:11:22 03:04:05".
        package var text: String
        /// Digits of the second's fraction.
        package var fraction: String
        /// "+01:00".
        package var offset: String

        /// What the wall clock showed at a moment of the host clock.
        package init(hostTime: MediaTime) {
            let ago = HostClock().now() - hostTime
            self.init(nanosecondsSinceEpoch: WallClock.nanosecondsSinceEpoch() - ago.nanoseconds())
        }

        package init(nanosecondsSinceEpoch moment: Int64) {
            var seconds = time_t(moment / 1_000_000_000)
            var local = tm()
            localtime_r(&seconds, &local)
            text = Self.text("%Y:%m:%d %H:%M:%S", &local)
            let zone = Self.text("%z", &local)
            offset = zone.prefix(3) + ":" + zone.dropFirst(3)
            let milliseconds = String(moment / 1_000_000 % 1000)
            fraction = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
        }

        private static func text(_ form: String, _ time: inout tm) -> String {
            var buffer = [CChar](repeating: 0, count: 64)
            let count = strftime(&buffer, buffer.count, form, &time)
            return String(
                decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The camera's name.
    package var model: String
    package var software: String?
    package var taken: Moment
    package var orientation = VideoOrientation.upright
    /// As stored (pixels).
    package var width = 0
    package var height = 0
    /// The name that a live photo's photo shares with its movie, in the note of Apple's cameras (nil = none).
    package var contentIdentifier: String?

    /// How long it was exposed (seconds; nil = not known).
    package var exposureTime: MediaTime?
    /// Against what the camera would have taken (EV; nil = not known).
    package var exposureBias: Double?
    /// Whether it is one of a row of different exposures.
    package var isBracketed = false

    package init(model: String, software: String?, taken: Moment) {
        self.model = model
        self.software = software
        self.taken = taken
    }

    /// A value of a directory, as it is stored.
    private struct Field {
        let tag: UInt16
        let kind: UInt16
        let count: Int
        let bytes: [UInt8]

        /// Text, with the zero behind it.
        static func text(_ tag: UInt16, _ text: String) -> Field {
            let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
            return Field(tag: tag, kind: 2, count: bytes.count, bytes: bytes)
        }
        static func short(_ tag: UInt16, _ value: Int) -> Field {
            Field(tag: tag, kind: 3, count: 1, bytes: little(value, 2))
        }
        static func long(_ tag: UInt16, _ value: Int) -> Field {
            Field(tag: tag, kind: 4, count: 1, bytes: little(value, 4))
        }
        /// A fraction; of a negative numerator a signed one.
        static func fraction(_ tag: UInt16, _ value: Int, _ unit: Int, isSigned: Bool) -> Field {
            Field(
                tag: tag, kind: isSigned ? 10 : 5, count: 1,
                bytes: little(value, 4) + little(unit, 4))
        }
        static func data(_ tag: UInt16, _ bytes: [UInt8]) -> Field {
            Field(tag: tag, kind: 7, count: bytes.count, bytes: bytes)
        }
        /// Four bytes that mean themselves.
        static func word(_ tag: UInt16, _ text: String) -> Field {
            Field(tag: tag, kind: 7, count: 4, bytes: Array(text.utf8))
        }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// From the byte order on, as PNG and HEIF hold it.
    package var bytes: [UInt8] {
        let main = [
            Field.text(0x0110, model), .short(0x0112, orientation.exif),
            software.map { .text(0x0131, $0) }, .text(0x0132, taken.text),
        ].compactMap { $0 }
        let details: [Field] = [
            exposureTime.map { Self.fraction(of: $0) },
            isBracketed ? .short(0x8822, exposureTime == nil ? 2 : 1) : nil,
            .word(0x9000, "0232"), .text(0x9003, taken.text), .text(0x9004, taken.text),
            .text(0x9010, taken.offset), .text(0x9011, taken.offset),
            .text(0x9012, taken.offset),
            exposureBias.map {
                .fraction(0x9204, Int(($0 * 100).rounded()), 100, isSigned: true)
            }, contentIdentifier.map { .data(0x927C, Self.note($0)) },
            .text(0x9290, taken.fraction), .text(0x9291, taken.fraction),
            .text(0x9292, taken.fraction), .short(0xA001, 1), .long(0xA002, width),
            .long(0xA003, height), isBracketed ? .short(0xA402, 2) : nil,
        ].compactMap { $0 }
        let start = 8
        let size = Self.directory(main + [.long(0x8769, 0)], at: start).count
        let first = Self.directory(main + [.long(0x8769, start + size)], at: start)
        return [0x49, 0x49, 42, 0] + Self.little(start, 4) + first
            + Self.directory(details, at: start + size)
    }

    /// In the form that photographers read: 1/n where that is exact to a percent.
    private static func fraction(of time: MediaTime) -> Field {
        let microseconds = Int(time.nanoseconds() / 1000)
        let share = microseconds > 0 ? (1_000_000 + microseconds / 2) / microseconds : 0
        let isExact = share > 1 && abs(1_000_000 - share * microseconds) <= 10_000
        return isExact
            ? .fraction(0x829A, 1, share, isSigned: false)
            : .fraction(0x829A, microseconds, 1_000_000, isSigned: false)
    }

    /// The note of Apple's cameras with one entry: "Apple iOS", a zero, a version, a byte order, and a directory whose
    /// offsets are counted from the note's beginning.
    private static func note(_ identifier: String) -> [UInt8] {
        let text = Array(identifier.utf8.filter { $0 != 0 }) + [0]
        func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }
        let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + big(1, 2)
        // behind the entry and the place of a next directory
        let place = head.count + 12 + 4
        return head + big(0x11, 2) + big(2, 2) + big(text.count, 4) + big(place, 4) + big(0, 4)
            + text
    }

    /// A directory with its values behind it.
    /// - Parameter place: where it begins (bytes from the byte order).
    private static func directory(_ fields: [Field], at place: Int) -> [UInt8] {
        var entries = little(fields.count, 2)
        var values: [UInt8] = []
        let end = place + 2 + 12 * fields.count + 4
        for field in fields {
            entries += little(Int(field.tag), 2) + little(Int(field.kind), 2)
            entries += little(field.count, 4)
            if field.bytes.count <= 4 {
                entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
            } else {
                entries += little(end + values.count, 4)
                values += field.bytes + [UInt8](repeating: 0, count: field.bytes.count % 2)
            }
        }
        return entries + little(0, 4) + values
    }
}
