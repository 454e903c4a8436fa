import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

private let zbar = Program.tool("zbarimg")

@Suite("QR codes are made")
struct QRCodeTests {
    private static let texts = [
        "vcap-slate:1?title=Coffee&scene=2&take=3", "A", "Grüße, 世界",
        String(repeating: "0123456789abcdef", count: 64),
    ]

    @Test("a code that is drawn is read again, of any length and alphabet", arguments: texts)
    func readAgain(_ text: String) throws {
        let code = try QRCode(text)
        var frame = PixelBuffer(width: 720, height: 720, format: .yuv420p)
        code.draw(into: &frame)
        let sample = SampleBuffer(
            payload: .pixels(frame), format: .video(QRCode.frameFormat(side: 720)),
            presentationTime: .zero, duration: nil)
        let found = try CodeDetector(types: [.qr]).codes(in: sample)
        #expect(found.map(\.stringValue) == [text])
        #expect(!code.isDark(column: -1, row: 0) && !code.isDark(column: 0, row: code.side))
    }

    @Test(
        "another program reads its PNG", .enabled(if: zbar != nil, "zbarimg is not installed"),
        arguments: texts.prefix(2))
    func otherReaders(_ text: String) throws {
        let folder = try TemporaryFolder()
        let png = try QRCode(text).png()
        try Data(png).write(to: URL(fileURLWithPath: folder.file("q.png")))
        let result = try #require(zbar).run(["--quiet", "--raw", "q.png"], in: folder.path)
        #expect(result.outputText == text + "\n", "\(result.errorText)")
    }

    @Test("the characters of a terminal are its modules, two rows a line, with the light around it")
    func terminal() throws {
        let code = try QRCode("A")
        let lines = code.terminalText.split(separator: "\n").map(Array.init)
        #expect(lines.count == (code.side + 9) / 2)
        for row in 0..<code.side {
            for column in 0..<code.side {
                let letter = lines[(row + 4) / 2][column + 4]
                let isLight = (row % 2 == 0 ? "█▀" : "█▄").contains(letter)
                #expect(isLight != code.isDark(column: column, row: row))
            }
        }
    }

    @Test("a drawing has a square for each dark module, and words that are no markup")
    func drawing() throws {
        let code = try QRCode("A")
        let drawing = code.svg(words: "<b> & c")
        let dark = (0..<code.side * code.side).count {
            code.isDark(column: $0 % code.side, row: $0 / code.side)
        }
        #expect(drawing.components(separatedBy: "h1v1h-1z").count - 1 == dark)
        #expect(drawing.contains(">&lt;b&gt; &amp; c</text>"))
        #expect(try !QRCode("A").svg(words: "").contains("<text"))
    }

    @Test("text that no QR code holds is refused by its length")
    func tooLong() {
        for text in ["", String(repeating: "x", count: 5000)] {
            #expect {
                _ = try QRCode(text)
            } throws: { error in
                (error as? MediaError)?.code == .invalidSetting
            }
        }
    }
}
