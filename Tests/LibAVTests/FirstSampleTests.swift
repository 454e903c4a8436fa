import Media
import Testing

@testable import LibAV

@Suite("What the first sample states")
struct FirstSampleTests {
    @Test(
        "ProRes says in its frame header whether it has two fields",
        arguments: [
            (UInt8(0), ScanType.progressive), (1, .interlaced), (2, .interlaced), (3, .unknown),
        ])
    func proRes(_ mode: UInt8, _ scan: ScanType) {
        var bytes: [UInt8] = [0, 0, 1, 0] + Array("icpf".utf8)
        bytes += [UInt8](repeating: 0, count: 12) + [0x80 | mode << 2]
        let format = VideoFormat(coding: .coded(.prores), width: 64, height: 64)
        #expect(FirstSample(bytes, of: format).scan == scan)
        #expect(ScanType(format, first: FirstSample(bytes, of: format)) == scan)
        #expect(FirstSample(bytes.dropLast(), of: format).scan == .unknown)
        bytes[4] = 0
        #expect(FirstSample(bytes, of: format).scan == .unknown)
    }

    @Test("what a container states counts for codecs that cannot, and for no others")
    func containers() {
        for codec in VideoCodec.allCases {
            var format = VideoFormat(coding: .coded(codec), width: 64, height: 64)
            #expect(ScanType(format) == .unknown)
            format.fieldOrder = .topFirst
            #expect(ScanType(format) == (codec.statesFields ? .unknown : .interlaced), "\(codec)")
        }
    }
}
