import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

/// The same pixels everywhere: what a machine's settings must not change.
@Suite("Titles that look the same everywhere")
struct TitleDeterminismTests {
    /// Pictures of several scripts, rotated ones too, as one number.
    static func digest() throws -> UInt64 {
        let size = PixelSize(width: 200, height: 100)
        let range = MediaTimeRange(start: .zero, duration: .seconds(4))
        var digest: UInt64 = 0
        for text in ["Lake 1.5", "سلام", "直骨 你好", "한국", "👍🏽"] {
            let layer = TitleStyle.classic.layer(text: text, timeRange: range, renderSize: size)
            digest = digest &* 31 &+ (try TitlePicture(layer, size, at: .seconds(2))).digest
        }
        var rotated = Layer(
            contents: .text(TextContents("Lake", font: TitleFont(family: "Noto Sans", size: 40))),
            frame: Rectangle(x: 0, y: 0, width: 200, height: 100))
        rotated.rotation.y = 40
        rotated.transform = .perspective(distance: 300)
        return digest &* 31 &+ (try TitlePicture(rotated, size)).digest
    }

    @Test("renderers on many threads at once draw the same pixels")
    func threads() async throws {
        let expected = try Self.digest()
        let digests = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<4 { group.addTask { try Self.digest() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(digests == Array(repeating: expected, count: 4))
    }

    @Test("locale, languages, resolution, hinting and subpixels of the machine change nothing")
    func surroundings() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let folder = try TemporaryFolder()
            let settings = folder.file("fonts.conf")
            // what a desktop may say: another resolution, full hinting, red-green-blue subpixels
            let text = """
                <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
                <fontconfig><include>/etc/fonts/fonts.conf</include>
                <match target="pattern">
                <edit name="dpi" mode="assign"><double>240</double></edit></match>
                <match target="font">
                <edit name="hinting" mode="assign"><bool>true</bool></edit>
                <edit name="hintstyle" mode="assign"><const>hintfull</const></edit>
                <edit name="autohint" mode="assign"><bool>true</bool></edit>
                <edit name="rgba" mode="assign"><const>rgb</const></edit></match></fontconfig>
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: settings))
            for (name, value) in [
                ("FONTCONFIG_FILE", settings), ("LC_ALL", "ja_JP.UTF-8"), ("LANG", "ja_JP.UTF-8"),
                ("LANGUAGE", "ja:fa"), ("PANGO_LANGUAGE", "ja:fa"), ("FC_LANG", "ja"),
                ("GDK_DPI_SCALE", "2"),
            ] { setenv(name, value, 1) }
            setlocale(LC_ALL, "")
            let digest = try TitleDeterminismTests.digest()
            print("digest=\(digest)=")
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let digest = try Self.digest()
        #expect(output.contains("digest=\(digest)="))
    }

    /// Whether fontconfig's caches are in this process's memory.
    static func hasReadFonts() throws -> Bool {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).contains("fontconfig/")
    }

    @Test("fonts are not touched before there is a text to draw")
    func lateFonts() async throws {
        await #expect(processExitsWith: .success) {
            let size = PixelSize(width: 40, height: 40)
            let frame = Rectangle(x: 0, y: 0, width: 40, height: 40)
            let still = Layer(contents: .solid(.white), frame: frame)
            try #require(try TitlePicture(still, size).ink == 1600)
            try #require(try !TitleDeterminismTests.hasReadFonts())
            _ = try TitlePicture(Layer(contents: .text(TextContents("a")), frame: frame), size)
            try #require(try TitleDeterminismTests.hasReadFonts())
        }
    }
}
