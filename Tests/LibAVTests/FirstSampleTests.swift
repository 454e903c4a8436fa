import Media
import Testing

@testable import LibAV

@Suite("What the first sample states")
struct FirstSampleTests {
    /// A unit with the beginning of HDR10+'s message.
    private static let message: [UInt8] = [
        0x4E, 1, 4, 8, 0xB5, 0, 0x3C, 0, 1, 4, 1, 0x40, 0x80,
    ]
    private static let slice: [UInt8] = [0x26, 1, 0xAF, 9, 9, 9]

    /// With lengths, or where the configuration is missing with start codes.
    private func hevc(
        _ units: [[UInt8]], hasLengths: Bool, prefix: Int? = nil
    ) -> FirstSample {
        var bytes: [UInt8] = []
        for unit in units { bytes += [0, 0, 0, hasLengths ? UInt8(unit.count) : 1] + unit }
        var record = [UInt8](repeating: 0, count: 23)
        (record[0], record[21]) = (1, 3)
        let format = VideoFormat(
            coding: .coded(.hevc), width: 64, height: 64,
            codecConfiguration: hasLengths ? record : [])
        return FirstSample(Array(bytes.prefix(prefix ?? bytes.count)), of: format)
    }

    @Test("HDR10+ is found before the first slice, and nothing else is taken for it")
    func hdr10Plus() {
        let other: [UInt8] = [0x4E, 1, 5, 2, 1, 2, 0x80]
        for hasLengths in [true, false] {
            #expect(hevc([other, Self.message, Self.slice], hasLengths: hasLengths).hasHDR10Plus)
            #expect(!hevc([other, Self.slice], hasLengths: hasLengths).hasHDR10Plus)
            // of another frame
            #expect(!hevc([Self.slice, Self.message], hasLengths: hasLengths).hasHDR10Plus)
            for (place, value) in [(2, 5), (4, 0xB4), (6, 0x3B), (8, 2), (9, 3)] as [(Int, UInt8)] {
                var changed = Self.message
                changed[place] = value
                #expect(
                    !hevc([changed, Self.slice], hasLengths: hasLengths).hasHDR10Plus, "\(place)")
            }
        }
    }

    @Test("a sample that ends anywhere says no more than is there")
    func cut() {
        for hasLengths in [true, false] {
            for count in 0..<16 {
                let found = hevc([Self.message], hasLengths: hasLengths, prefix: count)
                #expect(!found.hasHDR10Plus, "\(count)")
            }
        }
        // lengths that are none
        let format = VideoFormat(
            coding: .coded(.hevc), width: 64, height: 64,
            codecConfiguration: [UInt8](repeating: 255, count: 23))
        #expect(!FirstSample([UInt8](repeating: 255, count: 40), of: format).hasHDR10Plus)
        #expect(!FirstSample([UInt8](repeating: 0, count: 40), of: format).hasHDR10Plus)
    }

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
