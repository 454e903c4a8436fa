import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

@Suite("mattes by a model of the user's")
struct ModelMatteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: Data, _ name: String = "m.onnx") throws -> String {
        let path = folder.file(name)
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Red on the left, green on the right (BT.709, limited range).
    private var frame: SampleBuffer {
        var sample = SampleBuffer.planar(
            (0..<64 * 48).map { $0 % 64 < 32 ? 63 : 173 }, width: 64, height: 48, at: .zero)
        var pixels = PixelBuffer(width: 64, height: 48, format: .yuv420p)
        sample.pixelBuffer.map { pixels.copyPixels(from: $0) }
        pixels.withMutablePlanes { planes in
            for row in 0..<24 {
                for column in 0..<32 {
                    planes[1].row(row)[column] = column < 16 ? 102 : 42
                    planes[2].row(row)[column] = column < 16 ? 240 : 26
                }
            }
        }
        sample.payload = .pixels(pixels)
        return sample
    }

    private func sides(_ matte: Matte) -> (left: Double, right: Double) {
        let values = matte.scaled(width: 64, height: 48)
        func mean(_ columns: Range<Int>) -> Double {
            let part = values.indices.filter { columns.contains($0 % 64) }
            return part.reduce(0) { $0 + Double(values[$1]) } / Double(part.count)
        }
        return (mean(4..<28), mean(36..<60))
    }

    @Test("the model says what is foreground: shares, logits, two classes, and one of several")
    func kinds() throws {
        let red: [Float] = [20, -20, 0, -5]
        let green: [Float] = [-20, 20, 0, -5]
        let shares = TinyModel()
        let logits = TinyModel(last: nil)
        let classes = TinyModel(channels: [green, red], last: nil)
        let several = TinyModel(channels: [green, [0, 0, 0, -30], red], last: nil)
        let open = TinyModel(width: nil, height: nil)
        for (model, settings, size) in [
            (shares, ModelMatte.Settings(), PixelSize(32, 24)),
            (logits, .init(), PixelSize(32, 24)), (classes, .init(), PixelSize(32, 24)),
            (several, .init(foregroundClass: 2), PixelSize(32, 24)),
            (open, .init(), PixelSize(256, 256)),
            (open, .init(size: PixelSize(48, 32)), PixelSize(48, 32)),
        ] {
            let generator = try ModelMatte(path: file(model.bytes), settings)
            #expect(generator.size == size)
            let (left, right) = sides(try generator.matte(of: frame))
            #expect(left > 250 && right < 5, "\(left) \(right)")
        }
        // control: the other class
        let other = try ModelMatte(path: file(classes.bytes), .init(foregroundClass: 0))
        let (left, right) = sides(try other.matte(of: frame))
        #expect(left < 5 && right > 250)
    }

    @Test("what cannot be used is refused in a sentence that names the file")
    func refused() throws {
        let model = TinyModel().bytes
        let cases: [(Data, String)] = [
            (Data(), "empty"), (Data("no model at all".utf8), "no model of ONNX"),
            (model.prefix(model.count / 2), "damaged"),
            (TinyModel(last: "Nothing").bytes, "operations"),
            (TinyModel(isElsewhere: true).bytes, "another file"),
            (TinyModel(width: 4096).bytes, "4096"), (TinyModel(width: 8).bytes, "8x24"),
        ]
        for (bytes, words) in cases {
            let path = try file(bytes)
            let error = #expect(throws: MediaError.self) { try ModelMatte(path: path) }
            let message = error?.message ?? ""
            #expect(message.contains(words) && message.contains("m.onnx"), "\(message)")
            #expect(!message.contains("\n") && message.hasSuffix("."))
        }
        let broken = #expect(throws: MediaError.self) {
            try ModelMatte(path: file(TinyModel(channels: [[.nan, 0, 0, 0]]).bytes))
        }
        #expect(broken?.message.contains("no numbers") ?? false, "\(broken?.message ?? "")")
        let unknown = #expect(throws: MediaError.self) {
            try ModelMatte(path: folder.file("none.onnx,class=0,foo=1"))
        }
        #expect(unknown?.message.contains("foo= is no setting") ?? false)
        let sized = #expect(throws: MediaError.self) {
            try ModelMatte(path: file(model), .init(size: PixelSize(64, 64)))
        }
        #expect(sized?.message.contains("32x24") ?? false)
        let missing = #expect(throws: MediaError.self) {
            try ModelMatte(path: folder.file("none.onnx"))
        }
        #expect(missing?.code == .noSuchFile)
        #expect(throws: MediaError.self) { try ModelMatte(path: folder.path) }
        let classes = try file(
            TinyModel(channels: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]).bytes)
        for settings in [ModelMatte.Settings(), .init(foregroundClass: 3)] {
            let error = #expect(throws: MediaError.self) {
                try ModelMatte(path: classes, settings)
            }
            #expect(error?.message.contains("3 classes") ?? false)
        }
    }

    @Test("a file that was changed anywhere is a sentence or a model, and never a crash")
    func mutated() throws {
        let model = TinyModel().bytes
        var random = SplitMix(seed: 7)
        var refused = 0
        for _ in 0..<60 {
            var bytes = model
            for _ in 0..<1 + random.next() % 3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
            }
            do throws(MediaError) {
                _ = try ModelMatte(path: (try? file(bytes)) ?? "").matte(of: frame)
            } catch {
                refused += 1
                #expect(error.message.count < 400)
            }
        }
        #expect(refused > 20)
    }

    @Test("without its library a sentence names the package")
    func missing() {
        let error = #expect(throws: MediaError.self) {
            try MatteLibrary(paths: [folder.file("libvcap-mattes.so")])
        }
        #expect(error?.message.contains("libopencv-dnn406") ?? false)
    }
}
