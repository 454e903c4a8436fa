import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct DamagedProjectTests {
    @Test func atWhateverByteAFileEndsItIsAnsweredWithAPlaceInIt() {
        let whole = Array(ProjectExamples.full.utf8)
        for count in 0..<whole.count {
            do throws(JSONFailure) {
                _ = try JSONParser.parse(Array(whole.prefix(count)), as: .json5)
                // only space may be missing
                #expect(whole[count...].allSatisfy { $0 <= 0x20 }, "\(count) bytes were enough")
            } catch {
                #expect(error.position.line >= 1 && error.position.column >= 1)
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test(arguments: UInt64(1)...8)
    func changedBytesNeverDoMoreThanRefuse(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let whole = Array(ProjectExamples.full.utf8)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do throws(MediaError) {
                _ = try ProjectFile.timeline(bytes, name: "f", resolve: { path, _ in path })
            } catch { #expect(error.code == .invalidProject) }
        }
    }
}
