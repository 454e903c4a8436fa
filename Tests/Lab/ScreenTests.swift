import Foundation
import TestSupport
import Testing

extension Lab {
    /// The kernel's screen and keyboard, without a desktop.
    @Suite struct ScreenTests {
        /// A yellow movie whose last second is blue.
        private static func boot() throws -> Guest {
            let share = try Guest.emptyShare("kms")
            try Installation.tool(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "color=yellow:s=320x180:r=10:d=3", "-f", "lavfi", "-i",
                    "color=blue:s=320x180:r=10:d=1", "-filter_complex",
                    "[0][1]concat,format=yuv420p",
                    "-c:v", "libx264", share.appending(path: "clip.mp4").path,
                ])
            return try Guest.run(
                "kms", [Program.vcap.path], share: share, screen: "640x480", timeout: 300)
        }

        private struct Screen {
            let size: (Int, Int)
            private let bytes: [UInt8]

            init(_ url: URL) throws {
                let data = try Data(contentsOf: url)
                let fields = data.prefix(40).split(separator: 10, maxSplits: 3)
                let sides = String(decoding: fields[1], as: UTF8.self).split(separator: " ")
                size = (Int(sides[0]) ?? 0, Int(sides[1]) ?? 0)
                bytes = Array(data.suffix(size.0 * size.1 * 3))
            }

            /// Pixels of a colour, where each of its channels is high or low (count).
            func count(red: Bool, green: Bool, blue: Bool) -> Int {
                stride(from: 0, to: bytes.count, by: 3).count { place in
                    (bytes[place] > 180) == red && (bytes[place + 1] > 180) == green
                        && (bytes[place + 2] > 180) == blue
                }
            }
        }

        @Test(
            "a film fills the kernel's screen in its shape, keys steer it, and the screen is given back"
        )
        func play() throws {
            let guest = try Self.boot()
            func screen(_ name: String) throws -> Screen {
                try Screen(guest.share.appending(path: "\(name).ppm"))
            }
            let said = guest.text("play.said")
            let playing = try screen("playing")
            #expect(playing.size == (640, 480))
            // as wide as the screen, and 16:9
            let yellow = playing.count(red: true, green: true, blue: false)
            #expect(abs(yellow - 640 * 360) < 640 * 20, "\(yellow) \(said)")
            let last = try screen("last")
            #expect(last.count(red: true, green: true, blue: false) < 2000)
            #expect(last.count(red: false, green: false, blue: true) > 640 * 330, "\(said)")
            #expect(try guest.number("play.status") == 0, "\(said)")
            #expect(try screen("after").count(red: false, green: false, blue: true) < 2000)

            #expect(try guest.number("none.status") == 69)
            let none = guest.text("none.said")
            #expect(none.contains("the kernel drives none"), "\(none)")
        }
    }
}
