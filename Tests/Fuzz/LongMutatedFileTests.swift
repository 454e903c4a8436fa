import TestSupport
import Testing

/// Damage by chance, the same on every machine.
@Suite(
    "Files with any bytes changed",
    .enabled(
        if: FuzzBench.isPossible,
        "needs ffmpeg, ImageMagick, the tools of WebP, AVIF, HEIC and animated PNG, and time"))
struct LongMutatedFileTests {
    @Test(
        "a file damaged by chance is read or refused in a sentence, for bounded time and memory",
        arguments: FuzzBench.kinds)
    func damaged(_ kind: FuzzKind) throws {
        let bench = try FuzzBench(kind)
        // control: as it is it goes through
        #expect(try bench.complaint(of: bench.seed.bytes) == nil)
        #expect(bench.read == 1 || kind == .motionHEIC, "\(kind.rawValue) is not read")
        for number in 0..<UInt64(FuzzBench.isFull ? 100 : 5) {
            let bytes = Mutation.damaged(bench.seed.bytes, seed: number << 8)
            let complaint = try bench.complaint(of: bytes)
            #expect(complaint == nil, "\(kind.rawValue) \(number): \(complaint ?? "")")
        }
    }
}
