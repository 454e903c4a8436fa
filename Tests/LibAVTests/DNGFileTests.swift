import LibAV
import Testing

@Suite("The size of a raw photo")
struct DNGFileTests {
    @Test("a file holds what its places of 32 bits reach, and frames of every size that there is")
    func holds() {
        #expect(DNGFile.holds(width: 1, height: 1))
        #expect(DNGFile.holds(width: 65_535, height: 32_759))
        #expect(!DNGFile.holds(width: 65_535, height: 32_761))
        #expect(!DNGFile.holds(width: 65_535, height: 65_535))
        let sizes: [(Int, Int)] = [(0, 1), (1, -1), (.max, 1), (.max, .max), (1, 65_536)]
        for (width, height) in sizes { #expect(!DNGFile.holds(width: width, height: height)) }
    }
}
