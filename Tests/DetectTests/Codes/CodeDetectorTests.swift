import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

private let zint = Program.tool("zint")

@Suite("finding codes in a frame")
struct CodeDetectorTests {
    private static let view = CodeView(module: 3, angle: 0, blur: 0, luma: 16...235)

    private func code(_ type: MetadataObjectType) throws -> PrintedCode {
        let program = try #require(zint)
        return try #require(try PrintedCode.one(type, program))
    }

    @Test(
        "a code is one of its symbology, with text, bytes, time and corners",
        .enabled(if: zint != nil, "zint is not installed"))
    func one() throws {
        let frame = CodeFrame(try code(.qr), Self.view)
        let found = try CodeDetector().codes(in: frame.sample)
        let qr = try #require(found.first)
        #expect(found.count == 1 && qr.type == .qr && qr.time == .seconds(3))
        #expect(qr.stringValue == "https://example.org/a?b=1")
        #expect(qr.bytes == Array("https://example.org/a?b=1".utf8))
        #expect(qr.corners.count == 4)
        #expect(qr.bounds.x > 0 && qr.bounds.width < 1)
    }

    @Test(
        "of several linear codes in a large frame each is found once",
        .enabled(if: zint != nil, "zint is not installed"))
    func several() throws {
        // zxing-cpp 1.4 ends the program when it is asked for these as a whole
        let (width, height) = (1280, 720)
        var luma = [UInt8](repeating: 235, count: width * height)
        let view = CodeView(module: 3, angle: 0, blur: 0, luma: 16...235)
        let upright = CodeView(module: 3, angle: 90, blur: 0, luma: 16...235)
        for (type, view, left, top) in [
            (MetadataObjectType.ean13, view, 40, 40), (.ean13, view, 700, 400),
            (.code128, view, 100, 480), (.itf, upright, 1000, 20),
        ] {
            let frame = CodeFrame(try code(type), view)
            for row in 0..<frame.height {
                let start = (top + row) * width + left
                luma.replaceSubrange(
                    start..<start + frame.width,
                    with: frame.luma[row * frame.width..<(row + 1) * frame.width])
            }
        }
        let sample = CodeMath.sample(luma, width: width, height: height)
        let found = try CodeDetector().codes(in: sample)
        #expect(
            found.map(\.type.rawValue).sorted() == ["code128", "ean13", "ean13", "itf"],
            "\(found.map(\.bounds))")
    }

    @Test(
        "an Aztec code is found wherever it lies, and however it is rotated",
        .enabled(if: zint != nil, "zint is not installed"), arguments: [0.0, 20, 45, 70, 135])
    func aztec(angle: Double) throws {
        let (width, height) = (640, 480)
        var luma = [UInt8](repeating: 235, count: width * height)
        let view = CodeView(module: 4, angle: angle, blur: 0, luma: 16...235)
        let frame = CodeFrame(try code(.aztec), view)
        for row in 0..<frame.height {
            let start = (20 + row) * width + 400
            luma.replaceSubrange(
                start..<start + frame.width,
                with: frame.luma[row * frame.width..<(row + 1) * frame.width])
        }
        let sample = CodeMath.sample(luma, width: width, height: height)
        let found = try CodeDetector().codes(in: sample)
        #expect(found.map(\.stringValue) == ["Aztec 123"])
    }

    @Test(
        "what is not looked for is not found",
        .enabled(if: zint != nil, "zint is not installed"))
    func kinds() throws {
        let frame = CodeFrame(try code(.qr), Self.view)
        #expect(try CodeDetector(types: [.ean13, .aztec]).codes(in: frame.sample).isEmpty)
        #expect(try CodeDetector(types: [.qr]).codes(in: frame.sample).count == 1)
    }

    @Test(
        "outside the region of interest nothing is found; inside it, places are still those of the frame",
        .enabled(if: zint != nil, "zint is not installed"))
    func region() throws {
        let frame = CodeFrame(try code(.qr), Self.view)
        let whole = try #require(try CodeDetector().codes(in: frame.sample).first)
        let left = NormalizedRect(x: 0, y: 0, width: 0.4, height: 1)
        #expect(try CodeDetector(rectOfInterest: left).codes(in: frame.sample).isEmpty)
        let around = NormalizedRect(x: 0.1, y: 0.1, width: 0.85, height: 0.85)
        let part = try #require(
            try CodeDetector(rectOfInterest: around).codes(in: frame.sample).first)
        for (one, other) in zip(whole.corners, part.corners) {
            #expect(abs(one.x - other.x) < 0.01 && abs(one.y - other.y) < 0.01)
        }
    }

    @Test(
        "of a frame that lies on its side the corners are those of the upright one",
        .enabled(if: zint != nil, "zint is not installed"))
    func orientation() throws {
        let frame = CodeFrame(try code(.dataMatrix), Self.view)
        // the same pixels, said to need a quarter turn clockwise
        let sample = CodeMath.sample(
            frame.luma, width: frame.width, height: frame.height,
            orientation: VideoOrientation(rotation: .clockwise90))
        let found = try #require(try CodeDetector().codes(in: sample).first)
        for (found, real) in zip(found.corners, frame.corners) {
            #expect(abs((1 - found.x) * Double(frame.height) - real.y) < 2)
            #expect(abs(found.y * Double(frame.width) - real.x) < 2)
        }
    }

    @Test(
        "a frame of another pixel format, and one with a hostile size, need no care of the caller")
    func formats() throws {
        for (width, height) in [(1, 1), (3, 200), (5000, 2)] {
            let luma = [UInt8](repeating: 90, count: width * height)
            let sample = CodeMath.sample(luma, width: width, height: height)
            #expect(try CodeDetector().codes(in: sample).isEmpty)
        }
        let sample = SampleBuffer(
            payload: .coded(BlockBuffer([1])),
            format: CodeMath.sample([0], width: 1, height: 1).format,
            presentationTime: .zero)
        #expect(throws: MediaError.self) { try CodeDetector().codes(in: sample) }
    }

    @Test("settings that cannot be are refused by name")
    func refused() {
        let cases: [(Set<MetadataObjectType>, NormalizedRect, String)] = [
            ([], .whole, "types"), ([MetadataObjectType(rawValue: "face")], .whole, "types"),
            ([.qr], NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1), "rectOfInterest"),
            ([.qr], NormalizedRect(x: 0, y: 0, width: 0, height: 1), "rectOfInterest"),
            ([.qr], NormalizedRect(x: .nan, y: 0, width: 1, height: 1), "rectOfInterest"),
        ]
        for (types, rect, subject) in cases {
            do {
                _ = try CodeDetector(types: types, rectOfInterest: rect)
                Issue.record("\(types) \(rect) is taken")
            } catch {
                #expect(error.code == .invalidSetting && error.subject == subject)
            }
        }
    }

    @Test("where the library is missing, or is another, one sentence names the package")
    func missing() throws {
        let folder = try TemporaryFolder()
        let broken = folder.file("libvcap-codes.so")
        try Data("no library".utf8).write(to: URL(fileURLWithPath: broken))
        for paths in [["libvcap-no-such.so"], [broken], ["libc.so.6"]] {
            do {
                _ = try CodeLibrary(paths: paths)
                Issue.record("\(paths) is taken")
            } catch {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("libzxing2"), "\(error.message)")
                #expect(error.message.hasSuffix("."))
            }
        }
        let places = ShimLibrary.places(
            of: "libvcap-codes.so", besides: "/usr/local/bin/vcap")
        #expect(places.first == "/usr/local/bin/libvcap-codes.so")
        #expect(places.contains("/usr/local/lib/vcap/libvcap-codes.so"))
    }

    @Test("codes come back from a metadata sample as they were, text and bytes")
    func packed() throws {
        let corners = [(0.1, 0.2), (0.3, 0.2), (0.3, 0.4), (0.1, 0.4)].map {
            NormalizedPoint(x: $0, y: $1)
        }
        let codes = [
            MachineReadableCode(
                type: .qr, time: .seconds(7), stringValue: "ü\n\"", bytes: Array("ü\n\"".utf8),
                corners: corners),
            MachineReadableCode(
                type: .pdf417, time: .seconds(7), stringValue: nil, bytes: [0, 255, 16],
                corners: corners),
        ]
        let items = codes.map {
            MetadataItem(MachineReadableCode.metadataKey.identifier, .json($0.json.compact))
        }
        let group = TimedMetadataGroup(items: items, start: .seconds(7))
        #expect(MachineReadableCode.codes(in: group) == codes)
        let hostile = [
            "{}", "[", #"{"symbology":"face","corners":[]}"#, #"{"symbology":"qr","bytes":"0g"}"#,
        ]
        let others = TimedMetadataGroup(
            items: hostile.map { MetadataItem("org.vcap.detected-code", .json($0)) }, start: .zero)
        #expect(MachineReadableCode.codes(in: others).isEmpty)
    }
}

@Suite("frames without a code")
struct LongOddFrameTests {
    @Test("in none of 10,000 odd frames a code is read")
    func none() throws {
        let detector = try CodeDetector()
        for number in Sweep.part(200, of: 0..<10_000) {
            let luma = OddFrame.luma(number)
            let sample = CodeMath.sample(luma, width: OddFrame.width, height: OddFrame.height)
            let found = try detector.codes(in: sample)
            #expect(
                found.isEmpty,
                "frame \(number): \(found.map { "\($0.type.rawValue) \($0.stringValue ?? "")" })")
        }
    }
}
