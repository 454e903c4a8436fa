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

    /// From the byte order on, as PNG and HEIF hold it.
    package var bytes: [UInt8] {
        let start = 8
        let size = TIFFDirectory(main + [.long(0x8769, 0)]).bytes(at: start).count
        let first = TIFFDirectory(main + [.long(0x8769, start + size)])
        return TIFFDirectory.head(first: start) + first.bytes(at: start)
            + TIFFDirectory(details).bytes(at: start + size)
    }

    /// Of the picture's directory.
    var main: [TIFFField] {
        [
            .text(0x0110, model), .short(0x0112, orientation.exif),
            software.map { .text(0x0131, $0) }, .text(0x0132, taken.text),
        ].compactMap { $0 }
    }

    /// Of Exif's own directory.
    var details: [TIFFField] {
        [
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
    }

    /// In the form that photographers read: 1/n where that is exact to a percent.
    private static func fraction(of time: MediaTime) -> TIFFField {
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
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            TIFFField.little(value, count).reversed()
        }
        let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + big(1, 2)
        // behind the entry and the place of a next directory
        let place = head.count + 12 + 4
        return head + big(0x11, 2) + big(2, 2) + big(text.count, 4) + big(place, 4) + big(0, 4)
            + text
    }
}
