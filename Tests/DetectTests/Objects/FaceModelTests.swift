import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

@Suite("A model for faces that the user has")
struct FaceModelTests {
    /// - Returns: its path.
    private func write(_ bytes: Data, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("face.onnx")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// 480x270, with a bright square of 32 pixels at places of the model's grid.
    private func frame(_ squares: [(x: Int, y: Int)], at time: MediaTime = .zero) -> SampleBuffer {
        var luma = [UInt8](repeating: 30, count: 480 * 270)
        for square in squares {
            for row in 0..<32 {
                let start = (square.y * 32 + row) * 480 + square.x * 32
                for column in start..<start + 32 { luma[column] = 255 }
            }
        }
        var sample = CodeMath.sample(luma, width: 480, height: 270)
        sample.presentationTime = time
        return sample
    }

    @Test("faces are where it says, with roll and yaw, and each keeps its number")
    func places() throws {
        let folder = try TemporaryFolder()
        let path = try write(ONNXModel.yuNet().bytes, in: folder)
        let detector = try ObjectDetector(
            types: [.face], searchInterval: .milliseconds(500), faceModel: path)
        var numbers: Set<Int> = []
        for number in 0..<6 {
            let time = MediaTime(value: Int64(number), timescale: 5)
            let found = try detector.objects(
                in: frame([(6, 3), (1 + number / 2, 6)], at: time))
            #expect(found.count == 2)
            let one = try #require(found.first { $0.bounds.y < 0.4 })
            numbers.insert(one.objectID)
            #expect(Set(found.map(\.objectID)) == [1, 2])
            let expected = NormalizedRect(
                x: 176.0 / 480, y: 80.0 / 270, width: 64.0 / 480, height: 64.0 / 270)
            #expect(one.bounds.shared(with: expected) > 0.98, "\(one.bounds)")
            // the eyes are 0.4 of a box apart and 0.1 different in height, the nose 0.08 to the right
            #expect(abs((one.rollAngle ?? 0) - 14.04) < 0.1, "\(one)")
            #expect(abs((one.yawAngle ?? 0) - 28.6) < 1.5, "\(one)")
        }
        #expect(numbers.count == 1)
        #expect(try detector.objects(in: frame([], at: .seconds(2))).isEmpty)
    }

    @Test("what it says beside a frame, or of no size, is no face")
    func boxes() throws {
        let folder = try TemporaryFolder()
        for location in [Float.infinity, .nan, 1e30, -1e30, 500] {
            let path = try write(ONNXModel.yuNet(location: location).bytes, in: folder)
            let detector = try ObjectDetector(types: [.face], faceModel: path)
            #expect(try detector.objects(in: frame([(6, 3)])).isEmpty, "\(location)")
        }
    }

    @Test(
        "a model that is none, is cut off, of another form or deadly is refused by name, and nothing dies of it"
    )
    func hostile() throws {
        let folder = try TemporaryFolder()
        let whole = ONNXModel.yuNet().bytes
        var other = ONNXModel()
        other.input("input", [1, 3, 270, 480])
        other.layer("Relu", ["input"], "cls_8")
        other.output("cls_8", [1, 1, 1])
        let models: [(Data, String)] = [
            (Data(), "OpenCV"), (Data("no model".utf8), "OpenCV"), (whole.prefix(700), "OpenCV"),
            (other.bytes, "March 2022"), (ONNXModel.yuNet(isShort: true).bytes, "March 2022"),
            (ONNXModel.deadly.bytes, "dies of it"),
        ]
        for (bytes, words) in models {
            let path = try write(bytes, in: folder)
            let error = #expect(throws: MediaError.self) {
                _ = try ObjectDetector(types: [.face], faceModel: path)
            }
            #expect(error?.code == .damagedFile && error?.message.contains(path) ?? false)
            #expect(error?.message.contains(words) ?? false, "\(error?.message ?? "")")
        }
        let missing = folder.file("none.onnx")
        let error = #expect(throws: MediaError.self) {
            _ = try ObjectDetector(types: [.face], faceModel: missing)
        }
        #expect(error?.code == .noSuchFile)
    }

    @Test("without the program that tries it no model is read")
    func noCheck() throws {
        let error = #expect(throws: MediaError.self) { _ = try ModelCheck(paths: ["/nowhere/x"]) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("vcap-check-model") ?? false)
    }

    @Test("one that tries a model without end is ended")
    func endless() throws {
        let folder = try TemporaryFolder()
        let script = folder.file("check")
        try Data("#!/bin/sh\nyes\n".utf8).write(to: URL(fileURLWithPath: script))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let error = #expect(throws: MediaError.self) {
            try ModelCheck(paths: [script], timeout: 1).require(script, for: "library")
        }
        #expect(error?.message.contains("does not end") ?? false, "\(error?.message ?? "")")
    }
}
