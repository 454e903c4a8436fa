import Media
import Testing

@testable import Recording

private let ms: Int64 = 1_000_000

private func block(_ values: [Int16]) -> BlockBuffer {
    BlockBuffer(
        values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
}

struct PeakMeterTests {
    @Test("any number of readers see the level of the last half second; none takes it from another")
    func readingChangesNothing() {
        var meter = PeakMeter()
        #expect(meter.level(at: 0) == -.infinity)
        meter.add(block([0, -32_768, 5]), .int16, at: 1_000 * ms)
        for _ in 0..<3 { #expect(meter.level(at: 1_010 * ms) == 0) }
        meter.add(block([16_384]), .int16, at: 1_300 * ms)
        #expect(meter.level(at: 1_499 * ms) == 0)
        #expect(abs(meter.level(at: 1_600 * ms) + 6.02) < 0.01)
        // a microphone that is gone is silent, without another sample
        #expect(meter.level(at: 3_000 * ms) == -.infinity)
    }
}
