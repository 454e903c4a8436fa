import Media
import Testing

@testable import LibAV

@Test("units between start codes are found whatever zeros stand around them")
func startCodes() {
    let stream: [UInt8] = [
        0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 0x68, 9, 0, 0, 0, 0, 1, 0x65, 0, 0, 2, 7, 0, 0,
    ]
    let units = stream.withUnsafeBytes { NALUnits.annexBUnits(in: $0) }.map { Array(stream[$0]) }
    #expect(units == [[0x67, 1, 2], [0x68, 9], [0x65, 0, 0, 2, 7]])
    let empty: [[UInt8]] = [[], [0], [0, 0, 1], [0, 0, 1, 0, 0], [1, 2, 3, 4, 5]]
    for bytes in empty {
        #expect(bytes.withUnsafeBytes { NALUnits.annexBUnits(in: $0) }.isEmpty)
    }
}

@Test("a sample with start codes becomes one with lengths, without its parameter sets")
func lengths() {
    let stream: [UInt8] = [0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x65, 5, 6]
    let block = stream.withUnsafeBytes { bytes in
        NALUnits.lengthPrefixed(bytes) { NALCodec.h264.isOutOfBand($0) }
    }
    #expect(block.bytes == [0, 0, 0, 3, 0x65, 5, 6])
    let kept = stream.withUnsafeBytes { bytes in
        NALUnits.lengthPrefixed(bytes) { NALCodec.h264.isDelimiter($0) }
    }
    #expect(kept.bytes == [0, 0, 0, 2, 0x67, 1, 0, 0, 0, 3, 0x65, 5, 6])
}

@Test("short lengths are widened, and those that point past the end are damage")
func shortLengths() {
    let sample: [UInt8] = [0, 2, 0x65, 1, 0, 1, 0x41]
    let block = sample.withUnsafeBytes { NALUnits.widened($0, from: 2) }
    #expect(block?.bytes == [0, 0, 0, 2, 0x65, 1, 0, 0, 0, 1, 0x41])
    for broken in [[0, 3, 0x65, 1], [0, 2, 0x65, 1, 0], [255, 255]] as [[UInt8]] {
        #expect(broken.withUnsafeBytes { NALUnits.widened($0, from: 2) } == nil)
    }
}

@Test("numbers of a parameter set are read through its escapes, and zeros past its end")
func bitReader() {
    // 1 | 010 | 011 | 00100 | 0000, an escaped 00 00 03, then 0x80
    var reader = BitReader(unescaping: [0b1010_0110, 0b0100_0000, 0, 0, 3, 0x80] as [UInt8])
    let numbers = (0..<4).map { _ in reader.unsigned() }
    let gap = reader.bits(20)
    let last = reader.flag()
    let isEarly = reader.isExhausted
    _ = reader.unsigned()
    let isLate = reader.isExhausted
    #expect(numbers == [0, 1, 2, 3])
    #expect(gap == 0)
    #expect(last)
    #expect(!isEarly)
    #expect(isLate)
}

@Test("Opus's header goes to MP4's form and back")
func opusHeader() throws {
    let head: [UInt8] =
        Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0xFE, 0xFF, 0]
    let body = try #require(OpusConfiguration.mp4(fromHead: head))
    #expect(body == [0, 2, 0x01, 0x38, 0, 0, 0xBB, 0x80, 0xFF, 0xFE, 0])
    #expect(OpusConfiguration.head(fromMP4: body) == head)
    #expect(OpusConfiguration.mp4(fromHead: Array(head.prefix(12))) == nil)
    #expect(OpusConfiguration.head(fromMP4: [1, 2]) == nil)
}

@Test("parameter sets that are cut or missing give no configuration")
func brokenParameterSets() {
    #expect(AVCConfiguration.record(fromAnnexB: []) == nil)
    #expect(AVCConfiguration.record(fromAnnexB: [0, 0, 1, 0x67, 100]) == nil)
    #expect(AVCConfiguration.record(fromAnnexB: [0, 0, 1, 0x67, 66, 0, 30, 1]) == nil)
    #expect(HEVCConfiguration.record(fromAnnexB: [0, 0, 1, 0x42, 1, 1]) == nil)
    // baseline: no chroma format at the end
    let stream: [UInt8] = [0, 0, 1, 0x67, 66, 0xC0, 30, 0x95, 0, 0, 1, 0x68, 0xCE]
    #expect(
        AVCConfiguration.record(fromAnnexB: stream) == [
            1, 66, 0xC0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0xC0, 30, 0x95, 1, 0, 2, 0x68, 0xCE,
        ])
}
