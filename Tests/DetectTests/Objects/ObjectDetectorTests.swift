import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

extension LumaCanvas {
    var sample: SampleBuffer { sample(at: .seconds(3)) }

    func sample(at time: MediaTime, _ orientation: VideoOrientation = .upright) -> SampleBuffer {
        var sample = CodeMath.sample(
            luma, width: width, height: height, orientation: orientation)
        sample.presentationTime = time
        return sample
    }
}

@Suite("finding faces, bodies and cats in a frame")
struct ObjectDetectorTests {
    private static let kinds: [(type: MetadataObjectType, figure: DrawnFigure)] = [
        (.face, .face), (.humanBody, .body), (.catHead, .cat),
    ]

    private func box(
        _ figure: DrawnFigure, x: Double, y: Double, width: Double, of canvas: LumaCanvas
    ) -> NormalizedRect {
        let height = width * figure.proportion
        return NormalizedRect(
            x: (x - width / 2) / Double(canvas.width), y: (y - height / 2) / Double(canvas.height),
            width: width / Double(canvas.width), height: height / Double(canvas.height))
    }

    @Test(
        "a figure at a known place is found there, as what it is, with a number",
        arguments: [MetadataObjectType.face, .humanBody, .catHead])
    func places(_ type: MetadataObjectType) throws {
        let figure = try #require(Self.kinds.first { $0.type == type }).figure
        for (width, height, x, y, size) in [
            (640, 480, 200.0, 220.0, 80.0), (640, 480, 500, 260, 110), (1280, 720, 800, 380, 180),
            (480, 640, 240, 330, 90),
        ] {
            var canvas = LumaCanvas(width: width, height: height)
            canvas.draw(figure, x: x, y: y, width: size)
            let found = try ObjectDetector(types: [type]).objects(in: canvas.sample)
            let one = try #require(found.first, "\(size) in \(width)x\(height)")
            let truth = box(figure, x: x, y: y, width: size, of: canvas)
            #expect(found.count == 1 && one.type == type && one.objectID == 1)
            #expect(one.time == .seconds(3) && one.rollAngle == nil)
            #expect((0.3...1).contains(one.confidence))
            #expect(one.bounds.shared(with: truth) > 0.5, "\(one.bounds) \(truth)")
            #expect(one.bounds.isPart)
        }
    }

    @Test("what is not looked for is not found, and of several kinds each is")
    func kinds() throws {
        var canvas = LumaCanvas(width: 1280, height: 720)
        canvas.draw(.face, x: 200, y: 300, width: 160)
        canvas.draw(.body, x: 600, y: 380, width: 190)
        canvas.draw(.cat, x: 1000, y: 300, width: 160)
        for (type, _) in Self.kinds {
            let found = try ObjectDetector(types: [type]).objects(in: canvas.sample)
            #expect(!found.isEmpty && found.allSatisfy { $0.type == type })
        }
        // a face that is looked for alone may be taken for a cat's; together it is the surer one
        let all = try ObjectDetector(types: MetadataObjectType.objects).objects(in: canvas.sample)
        #expect(all.map(\.type) == [.face, .humanBody, .catHead])
        #expect(Set(all.map(\.objectID)) == [1, 2, 3])
    }

    @Test("outside the region nothing is found; inside it, places are still those of the frame")
    func region() throws {
        var canvas = LumaCanvas(width: 640, height: 480)
        canvas.draw(.face, x: 200, y: 220, width: 90)
        let whole = try #require(try ObjectDetector().objects(in: canvas.sample).first)
        let right = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
        #expect(try ObjectDetector(rectOfInterest: right).objects(in: canvas.sample).isEmpty)
        let left = NormalizedRect(x: 0.1, y: 0.1, width: 0.5, height: 0.8)
        let part = try #require(
            try ObjectDetector(rectOfInterest: left).objects(in: canvas.sample).first)
        #expect(part.bounds.shared(with: whole.bounds) > 0.75)
    }

    @Test("of a frame that lies on its side the bounds are those of the upright one")
    func orientation() throws {
        var canvas = LumaCanvas(width: 480, height: 640)
        // seen upright when the frame is rotated by a quarter clockwise
        canvas.draw(.face, x: 150, y: 400, width: 100, roll: -90)
        let sample = canvas.sample(
            at: .seconds(3), VideoOrientation(rotation: .clockwise90))
        let one = try #require(try ObjectDetector().objects(in: sample).first)
        // upright it is 640 wide, and what was at the bottom is on the left
        #expect(abs(one.bounds.middle.x - (640 - 400) / 640.0) < 0.03, "\(one.bounds)")
        #expect(abs(one.bounds.middle.y - 150 / 480.0) < 0.05)
    }

    @Test(
        "a thorough look finds a tilted face and says how far, where a quick one does not",
        arguments: [-90.0, -60, -30, 0, 30, 60, 90, 180])
    func roll(_ roll: Double) throws {
        var canvas = LumaCanvas(width: 640, height: 480)
        canvas.draw(.face, x: 320, y: 240, width: 120, roll: roll)
        let found = try ObjectDetector(isThorough: true).objects(in: canvas.sample)
        #expect(found.count == 1 && found.first?.rollAngle == roll, "\(found)")
        let truth = box(.face, x: 320, y: 240, width: 120, of: canvas)
        #expect((found.first?.bounds.shared(with: truth) ?? 0) > 0.5)
        // the control: this is why it takes longer
        if (60...90).contains(abs(roll)) {
            #expect(try ObjectDetector().objects(in: canvas.sample).isEmpty)
        }
    }

    @Test("in noise, an even frame and one of a hostile size nothing is found, and nothing fails")
    func nothing() throws {
        let detector = try ObjectDetector(types: MetadataObjectType.objects)
        for (width, height) in [(1, 1), (3, 200), (5000, 2), (63, 127), (64, 128), (16_384, 1)] {
            let luma = [UInt8](repeating: 90, count: width * height)
            let sample = CodeMath.sample(luma, width: width, height: height)
            #expect(try detector.objects(in: sample).isEmpty)
        }
        var random = SplitMix(seed: 3)
        let noise = (0..<320 * 240).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(
            try detector.objects(in: CodeMath.sample(noise, width: 320, height: 240)).isEmpty)
        let wide = CodeMath.sample([UInt8](repeating: 0, count: 16_385), width: 16_385, height: 1)
        #expect(throws: MediaError.self) { try detector.objects(in: wide) }
        let coded = SampleBuffer(
            payload: .coded(BlockBuffer([1])), format: wide.format, presentationTime: .zero)
        #expect(throws: MediaError.self) { try detector.objects(in: coded) }
    }

    @Test("settings that cannot be are refused by name")
    func refused() {
        let cases: [(Set<MetadataObjectType>, NormalizedRect, String)] = [
            ([], .whole, "types"), ([.face, .qr], .whole, "types"),
            ([.face], NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1), "rectOfInterest"),
        ]
        for (types, rect, subject) in cases {
            do {
                _ = try ObjectDetector(types: types, rectOfInterest: rect)
                Issue.record("\(types) \(rect) is taken")
            } catch {
                #expect(error.code == .invalidSetting && error.subject == subject)
            }
        }
        #expect(throws: MediaError.self) {
            try FrameDetectors(
                types: [MetadataObjectType(rawValue: "dog")], rectOfInterest: .whole,
                isThorough: false)
        }
    }

    @Test("where the library is missing, or is another, one sentence names the package")
    func missingLibrary() throws {
        let folder = try TemporaryFolder()
        let broken = folder.file("libvcap-faces.so")
        try Data("no library".utf8).write(to: URL(fileURLWithPath: broken))
        for paths in [["libvcap-no-such.so"], [broken], ["libc.so.6"]] {
            do {
                _ = try FaceLibrary(paths: paths)
                Issue.record("\(paths) is taken")
            } catch {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("libopencv-objdetect406"), "\(error.message)")
            }
        }
    }

    @Test("cascades that are missing, cut off or damaged are a sentence that names opencv-data")
    func damagedCascades() throws {
        let folder = try TemporaryFolder()
        let name = "haarcascades/haarcascade_frontalface_alt2.xml"
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: "\(FaceLibrary.cascades)/\(name)"))
        try FileManager.default.createDirectory(
            atPath: folder.file("haarcascades"), withIntermediateDirectories: true)
        let files: [Data?] = [
            nil, Data(), Data("<?xml version=\"1.0\"?><opencv_storage></opencv_storage>".utf8),
            whole.prefix(whole.count / 2), Data(repeating: 0xFF, count: 5000),
            Data(("{\"a\":" + String(repeating: "[", count: 1_000_000)).utf8),
        ]
        for file in files {
            if let file { try file.write(to: URL(fileURLWithPath: folder.file(name))) }
            do {
                _ = try ObjectDetector(types: [.face], cascades: folder.path)
                Issue.record("\(file?.count ?? -1) bytes are taken")
            } catch {
                #expect(error.code == .unsupported)
                #expect(error.message.contains("opencv-data"), "\(error.message)")
            }
        }
        // bodies need none
        _ = try ObjectDetector(types: [.humanBody], cascades: folder.path)
        // the control: what was refused is refused for its damage
        try whole.write(to: URL(fileURLWithPath: folder.file(name)))
        _ = try ObjectDetector(types: [.face], cascades: folder.path)
    }

    /// OpenCV follows what stands in a cascade without a look: each of these is read or run beyond its memory, or
    /// never ends.
    @Test(
        "a cascade that leads outside itself, its window or its memory is refused before OpenCV runs it",
        arguments: [
            ("<internalNodes>", " 0 1 999999 0.1"), ("<internalNodes>", " 0 1 -1 0.1"),
            ("<internalNodes>", " 0 -7 0 0.1"), ("<internalNodes>", " 0 9 0 0.1"),
            ("<internalNodes>", " 0 1 0 0.1 1 -1 0 0.1"), ("<internalNodes>", " 0 -1 0"),
            ("<leafValues>", " 0.1"), ("<leafValues>", " .Nan 0.1 0.1"),
            ("<rects>", "<_>19 8 3 12 -1.</_>"), ("<rects>", "<_>-1 8 3 12 -1.</_>"),
            ("<rects>", "<_>2000000000 8 2000000000 12 -1.</_>"), ("<rects>", ""),
            ("<width>", "0"), ("<width>", "1000000"), ("<weakClassifiers>", ""),
            ("<features>", String(repeating: "<_>", count: 100_000)),
            (
                "<features>",
                "<!--" + String(repeating: "</_>", count: 100_000) + "-->"
                    + String(repeating: "<_>", count: 100_000)
            ),
        ])
    func hostileCascades(element: String, content: String) throws {
        let folder = try TemporaryFolder()
        let name = "haarcascades/haarcascade_frontalface_alt2.xml"
        let whole = try String(contentsOfFile: "\(FaceLibrary.cascades)/\(name)", encoding: .utf8)
        try FileManager.default.createDirectory(
            atPath: folder.file("haarcascades"), withIntermediateDirectories: true)
        let start = try #require(whole.range(of: element))
        let ending = "</" + element.dropFirst()
        let end = try #require(
            whole.range(of: ending, range: start.upperBound..<whole.endIndex))
        var changed = whole
        changed.replaceSubrange(start.upperBound..<end.lowerBound, with: content)
        try changed.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        let error = #expect(throws: MediaError.self) {
            try ObjectDetector(types: [.face], cascades: folder.path)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("opencv-data") == true)
    }

    @Test("objects come back from a metadata sample as they were")
    func packed() throws {
        let objects = [
            DetectedObject(
                type: .face, time: .seconds(7),
                bounds: NormalizedRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), objectID: 12,
                confidence: 0.875, rollAngle: -30),
            DetectedObject(
                type: .humanBody, time: .seconds(7),
                bounds: NormalizedRect(x: 0, y: 0.25, width: 0.5, height: 0.75), objectID: 3,
                confidence: 0.5),
        ]
        let group = TimedMetadataGroup(items: objects.map(\.item), start: .seconds(7))
        #expect(DetectedObject.objects(in: group) == objects)
        #expect(MachineReadableCode.codes(in: group).isEmpty)
        let hostile = [
            "{}", "[", #"{"type":"qr","id":1,"bounds":[0,0,1,1],"confidence":1}"#,
            #"{"type":"face","id":1e40,"bounds":[0,0,1,1],"confidence":1}"#,
            #"{"type":"face","id":1,"bounds":[0,0,1],"confidence":1}"#,
        ]
        let others = TimedMetadataGroup(
            items: hostile.map { MetadataItem("org.vcap.detected-face", .json($0)) }, start: .zero)
        #expect(DetectedObject.objects(in: others).isEmpty)
        #expect(DetectedObject.areIn(MetadataFormat(of: [.face, .qr])))
        #expect(!DetectedObject.areIn(MetadataFormat(of: [.qr])))
        #expect(
            MetadataFormat(of: [.face, .qr, .catHead]).keys.map(\.identifier) == [
                "org.vcap.detected-code", "org.vcap.detected-cat", "org.vcap.detected-face",
            ])
    }
}
