import Media
import TestSupport
import Testing

@testable import Detect

private let zint = Program.tool("zint")

@Suite(
    "where codes are, and what else they may be", .enabled(if: zint != nil, "zint is not installed")
)
struct CodeExtentTests {
    private let tool: Program

    init() throws { tool = try #require(zint) }

    private func view(_ angle: Double = 0) -> CodeView {
        CodeView(module: 3, angle: angle, blur: 0, luma: 16...235)
    }

    /// Largest distance of a corner from its place (pixels).
    private func error(
        _ found: MachineReadableCode, _ corners: [(x: Double, y: Double)], _ frame: CodeFrame
    ) -> Double {
        zip(found.corners, corners).map { found, real in
            let dx = found.x * Double(frame.width) - real.x
            let dy = found.y * Double(frame.height) - real.y
            return (dx * dx + dy * dy).squareRoot()
        }.max() ?? .infinity
    }

    @Test("the corners of a linear code are those of its bars", arguments: [0.0, 90, 180, 270])
    func bars(angle: Double) throws {
        let detector = try CodeDetector()
        for code in try PrintedCode.all(tool) where code.isLinear {
            let frame = CodeFrame(code, view(angle))
            let found = try #require(
                try detector.codes(in: frame.sample).first, "\(code.type.rawValue)")
            // the bars around an Interleaved 2 of 5 and their ends are found to a few pixels
            let error = error(found, frame.corners, frame)
            #expect(error <= 6, "\(code.type.rawValue) at \(angle) degrees: \(error) px")
        }
    }

    @Test("a linear code that leans reaches as far as its bars do, and no further")
    func leaning() throws {
        let code = try #require(try PrintedCode.one(.code128, tool))
        let frame = CodeFrame(code, view(8))
        let found = try #require(try CodeDetector().codes(in: frame.sample).first)
        let (top, bottom) = (
            frame.corners.map(\.y).min() ?? 0, frame.corners.map(\.y).max() ?? 0
        )
        let bounds = found.bounds
        let height = bounds.height * Double(frame.height)
        #expect(height > 24 && height < bottom - top + 4)
        #expect(bounds.y * Double(frame.height) > top - 4)
    }

    @Test("the right corners of a PDF417 without its right guard are where its rows end")
    func compact() throws {
        let code = try PrintedCode.compactPDF417(tool)
        for angle in [0.0, 90, 180, 270] {
            let frame = CodeFrame(code, view(angle))
            let found = try #require(try CodeDetector().codes(in: frame.sample).first)
            #expect(found.stringValue == "Compact PDF")
            let error = error(found, frame.corners, frame)
            #expect(error <= 6, "at \(angle) degrees: \(error) px")
        }
    }

    @Test("text with tabs is text; what has other control characters is bytes")
    func tabs() throws {
        for (text, escaped, isText) in [
            ("a\tb", #"a\tb"#, true), ("a\u{1}b", #"a\x01b"#, false),
        ] {
            let code = try PrintedCode.qr(text, escaped: escaped, tool)
            let found = try #require(
                try CodeDetector().codes(in: CodeFrame(code, view()).sample).first)
            #expect(found.stringValue == (isText ? text : nil))
            #expect(found.bytes == Array(text.utf8))
        }
    }

    @Test(
        "light on dark, a code is found by the thorough look",
        arguments: [MetadataObjectType.qr, .dataMatrix, .aztec, .pdf417])
    func inverted(type: MetadataObjectType) throws {
        let code = try #require(try PrintedCode.one(type, tool))
        let frame = CodeFrame(code, view())
        let sample = CodeMath.sample(
            frame.luma.map { 255 - $0 }, width: frame.width, height: frame.height)
        let found = try #require(try CodeDetector(isThorough: true).codes(in: sample).first)
        #expect(found.type == type && found.stringValue == code.text)
        #expect(error(found, frame.corners, frame) <= 3)
    }

    @Test(
        "of a mirrored code the corners are its own, too",
        arguments: [MetadataObjectType.qr, .dataMatrix, .aztec])
    func mirrored(type: MetadataObjectType) throws {
        let code = try #require(try PrintedCode.one(type, tool))
        let frame = CodeFrame(code, view())
        let luma = (0..<frame.height).flatMap { row in
            frame.luma[row * frame.width..<(row + 1) * frame.width].reversed()
        }
        let sample = CodeMath.sample(luma, width: frame.width, height: frame.height)
        let found = try #require(try CodeDetector().codes(in: sample).first)
        let corners = frame.corners.map { (x: Double(frame.width) - $0.x, y: $0.y) }
        let error = error(found, corners, frame)
        #expect(error <= 4, "\(error) px")
    }

    @Test(
        "of codes in rows and columns each is found", arguments: [(2, 4), (3, 9), (4, 12), (8, 40)])
    func many(columns: Int, count: Int) throws {
        let (width, height) = (1280, 720)
        var luma = [UInt8](repeating: 235, count: width * height)
        for number in 0..<count {
            let code = try PrintedCode.qr("code \(number)", tool)
            let frame = CodeFrame(code, view())
            let (left, top) = (number % columns * 158, number / columns * 142)
            for row in 0..<frame.height {
                let start = (top + row) * width + left
                luma.replaceSubrange(
                    start..<start + frame.width,
                    with: frame.luma[row * frame.width..<(row + 1) * frame.width])
            }
        }
        let sample = CodeMath.sample(luma, width: width, height: height)
        let found = try CodeDetector().codes(in: sample)
        #expect(Set(found.compactMap(\.stringValue)).count == count, "\(found.count)")
    }
}
