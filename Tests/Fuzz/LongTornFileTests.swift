import TestSupport
import Testing

@Suite(
    "Files that end too soon",
    .enabled(
        if: FuzzBench.isPossible,
        "needs ffmpeg, ImageMagick, the tools of WebP, AVIF, HEIC and animated PNG, and time"))
struct LongTornFileTests {
    @Test(
        "a file cut off anywhere is read as far as it goes or refused in a sentence",
        arguments: FuzzBench.kinds)
    func torn(_ kind: FuzzKind) throws {
        let bench = try FuzzBench(kind)
        let count = bench.seed.bytes.count
        let between = FuzzBench.isFull ? 60 : 1
        let places = [0, 1, count - 1] + (1...between).map { count * $0 / (between + 1) }
        for place in Set(places).sorted() {
            let complaint = try bench.complaint(of: Array(bench.seed.bytes[..<place]))
            #expect(complaint == nil, "\(kind.rawValue) to \(place): \(complaint ?? "")")
        }
        // control: something was missed
        #expect(bench.refused > 0)
    }
}
