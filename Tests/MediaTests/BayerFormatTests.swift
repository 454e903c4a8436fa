import Testing

@testable import Media

@Suite("A sensor's raw values in memory")
struct BayerFormatTests {
    private func values(
        _ format: BayerFormat, _ bytes: [UInt8], _ width: Int, _ height: Int = 1
    ) -> [UInt16]? {
        bytes.withUnsafeBytes { format.values(in: $0, width: width, height: height) }
    }

    @Test("values in bytes and in words are what they are, without what a bus has above them")
    func words() {
        #expect(values(BayerFormat(.rggb, bits: 8), [0, 127, 255, 1], 4) == [0, 127, 255, 1])
        let word = [0x01, 0x02, 0xFF, 0x03, 0xFF, 0xFF, 0, 0] as [UInt8]
        #expect(values(BayerFormat(.rggb, bits: 10), word, 4) == [0x201, 0x3FF, 0x3FF, 0])
        #expect(values(BayerFormat(.rggb, bits: 16), word, 4) == [0x201, 0x3FF, 0xFFFF, 0])
    }

    // the bytes are those of the kernel's tables of the packed formats
    @Test("MIPI's packed values of 10 bits: four high bytes, then their low bits in one")
    func packed10() {
        let bytes: [UInt8] = [0x80, 0x40, 0x20, 0x10, 0b11_10_01_00]
        let format = BayerFormat(.bggr, bits: 10, packing: .mipi)
        #expect(values(format, bytes, 4) == [0x200, 0x101, 0x082, 0x043])
        #expect(format.bytes(inRowOf: 8) == 10)
    }

    @Test("MIPI's packed values of 12 bits: two high bytes, then their low bits in one")
    func packed12() {
        let format = BayerFormat(.gbrg, bits: 12, packing: .mipi)
        #expect(values(format, [0xAB, 0xCD, 0x5E], 2) == [0xABE, 0xCD5])
    }

    @Test("MIPI's packed values of 14 bits: four high bytes, then their low bits in three")
    func packed14() {
        let low = [0b01_100001, 0b0011_1111, 0b101010_11] as [UInt8]
        let format = BayerFormat(.grbg, bits: 14, packing: .mipi)
        // low bits of the pixels: 5…0 of byte 0; 3…0 of byte 1 over 7…6 of byte 0; 1…0 of 2 over 7…4 of 1; 7…2 of 2
        let rests: [UInt16] = [0b100001, 0b111101, 0b110011, 0b101010]
        #expect(
            values(format, [1, 2, 3, 255] + low, 4)
                == zip([1, 2, 3, 255] as [UInt16], rests).map { $0 << 6 | $1 })
    }

    @Test("rows with padding, and a frame that is cut off")
    func rows() {
        var format = BayerFormat(.rggb, bits: 8)
        format.bytesPerRow = 5
        #expect(values(format, [1, 2, 3, 9, 9, 4, 5, 6], 3, 2) == [1, 2, 3, 4, 5, 6])
        #expect(values(format, [1, 2, 3, 9, 9, 4, 5], 3, 2) == nil)
        #expect(values(format, [], 3, 2) == nil)
    }

    @Test("sizes and rows that no frame has are no frame")
    func hostileSizes() {
        var format = BayerFormat(.rggb, bits: 16)
        let sizes: [(Int, Int)] = [
            (0, 1), (1, 0), (-1, 1), (1, -1), (.max, 1), (1, .max), (65_536, 1),
        ]
        for (width, height) in sizes {
            #expect(values(format, [1, 2, 3, 4], width, height) == nil)
        }
        format.bytesPerRow = .max
        #expect(values(format, [1, 2, 3, 4], 1, 2) == nil)
        // a single row has no other behind it
        #expect(values(format, [1, 2, 3, 4], 1, 1) == [0x201])
    }

    @Test("each form has a word of its own that means it")
    func names() {
        #expect(Set(BayerFormat.forms.map(\.name)).count == 32)
        for form in BayerFormat.forms { #expect(BayerFormat(name: form.name) == form) }
        #expect(BayerFormat(name: "bayer_rggb11") == nil)
        #expect(BayerFormat(.grbg, bits: 12, packing: .mipi).name == "bayer_grbg12p")
    }
}
