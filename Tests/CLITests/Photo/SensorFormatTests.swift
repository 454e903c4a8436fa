import Capture
import Media
import Testing

@testable import vcap

@Suite("The format of a raw photo")
struct SensorFormatTests {
    private static let small = PixelSize(640, 480)
    private static let large = PixelSize(4056, 3040)

    private static func camera(_ formats: [(Int, [PixelSize])]) -> CaptureDevice {
        CaptureDevice(
            id: "x", name: "Sensor", kind: .video, driver: "x",
            formats: formats.map { bits, sizes -> CaptureDeviceFormat in
                let bayer = BayerFormat(.rggb, bits: bits)
                let listed = sizes.map {
                    VideoCaptureSize(extent: .discrete($0), frameDurations: [])
                }
                return .video(
                    VideoCaptureFormat(
                        coding: .coded(.rawvideo), name: bayer.name, sizes: listed, bayer: bayer))
            })
    }

    @Test("the size goes first, then the bits")
    func size() throws {
        let camera = Self.camera([(12, [Self.small]), (8, [Self.large]), (10, [Self.large])])
        #expect(try camera.finestSensorFormat(for: nil).name == "bayer_rggb10le")
        #expect(try camera.finestSensorFormat(for: Self.large).name == "bayer_rggb10le")
        #expect(try camera.finestSensorFormat(for: Self.small).name == "bayer_rggb12le")
    }

    @Test("a camera without a sensor's values is refused")
    func none() {
        let error = #expect(throws: MediaError.self) {
            try Self.camera([]).finestSensorFormat(for: nil)
        }
        #expect(error?.code == .invalidSetting)
    }
}
