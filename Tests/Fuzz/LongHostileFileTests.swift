import TestSupport
import Testing

@Suite(
    "Files whose numbers lie",
    .enabled(
        if: FuzzBench.isPossible,
        "needs ffmpeg, ImageMagick, the tools of WebP, AVIF, HEIC and animated PNG, and time"))
struct LongHostileFileTests {
    @Test(
        "whatever a number in a file's beginning claims costs bounded time and memory",
        arguments: FuzzBench.kinds)
    func claims(_ kind: FuzzKind) throws {
        let bench = try FuzzBench(kind)
        var chance = SplitMix(seed: 7)
        let reach = min(bench.seed.bytes.count - 4, 1200)
        for number in 0..<(FuzzBench.isFull ? 150 : 3) {
            let place = Int.random(in: 0..<reach, using: &chance)
            var bytes = bench.seed.bytes
            let claim: UInt32 = [0xFFFF_FFFF, 0x7FFF_FFFF, 0x00FF_FFFF][number % 3]
            Mutation.put(claim, 4, at: place, &bytes)
            let complaint = try bench.complaint(of: bytes)
            #expect(complaint == nil, "\(kind.rawValue) at \(place): \(complaint ?? "")")
        }
    }
}
