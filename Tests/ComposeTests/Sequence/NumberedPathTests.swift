import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite struct NumberedPathTests {
    @Test func whatIsReadHasAPlaceOfAnyLength() throws {
        let plain = try #require(NumberedPath(reading: "100%d/a%db.png"))
        #expect(plain.path(7) == "100%d/a7b.png" && plain.path(1234) == "100%d/a1234b.png")
        let fixed = try #require(NumberedPath(reading: "s/50%% a%03d.png"))
        #expect(fixed.path(7) == "s/50% a007.png" && fixed.folder == "s/")
        for none in ["a.png", "a%d%d.png", "a%%d.png", "%04d/a.png", "a%4d.png", "", "a/"] {
            #expect(NumberedPath(reading: none) == nil, "\(none)")
        }
        // those that are written have a fixed count only
        #expect(NumberedPath("a%d.png") == nil && NumberedPath("a%03d.png") != nil)
    }

    @Test(arguments: ["a%d.png", "a%01d.png", "a%04d.png", "f/%09d"])
    func aNumberHasOneNameOnly(_ pattern: String) throws {
        let path = try #require(NumberedPath(reading: pattern))
        for number in [0, 1, 9, 10, 12, 999, 1000, 9999, 10_000, 123_456_789] {
            let name = path.path(number)
            #expect(path.number(of: name) == number)
            // one more zero in front is another file
            let other = name.replacing("\(number)", with: "0\(number)", maxReplacements: 1)
            let isSame = path.number(of: other).map { path.path($0) == other } ?? true
            #expect(isSame, "\(other)")
        }
        for other in [
            "a.png", "b1.png", "a1.jpg", "a-1.png", "a1x.png", "a99999999999999999999.png",
        ] {
            #expect(path.number(of: other) == nil, "\(other)")
        }
    }

    @Test func anAddressSaysAllOfASequence() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<2000 {
            var sequence = ImageSequence(
                rate: FrameRate(
                    Int32.random(in: 1...60_000, using: &random),
                    per: Bool.random(using: &random) ? 1 : 1001))
            if Bool.random(using: &random) {
                sequence.first = .random(in: 0...2000, using: &random)
            }
            if Bool.random(using: &random) { sequence.last = .random(in: 0...2000, using: &random) }
            if Bool.random(using: &random) { sequence.step = .random(in: 1...9, using: &random) }
            sequence.gaps = ImageSequence.Gaps.allCases.randomElement(using: &random) ?? .error
            let pattern =
                ["a%04d.png", "/x y/a%d.b/c%02d", "f/24/."].randomElement(using: &random) ?? ""
            let found = try #require(ImageSequence.parse(sequence.address(of: pattern)))
            #expect(found.pattern == pattern && found.sequence == sequence)
        }
        for path in [
            "a.png", "a/b.png", "a/", "/.", "a/.", "a/24", "a/24 step/.", "a/0/.", "a/24 x 1/.",
        ] {
            #expect(ImageSequence.parse(path) == nil, "\(path)")
        }
    }

    @Test func whatIsNoSequenceIsRefused() throws {
        func refusal(_ pattern: String, _ change: (inout ImageSequence) -> Void) -> String {
            var sequence = ImageSequence(rate: FrameRate(24))
            change(&sequence)
            let timeline = Timeline(videos: [VideoItem(pattern, as: sequence)])
            do throws(MediaError) { try timeline.validate() } catch { return error.message }
            return ""
        }
        #expect(refusal("a%04d.png") { _ in } == "")
        #expect(refusal("a.png") { _ in }.contains("needs one place for a number"))
        #expect(refusal("a%d.png") { $0.rate = FrameRate(1, per: 2) }.contains("1 to 1000"))
        #expect(refusal("a%d.png") { $0.step = 0 }.contains("steps of 0"))
        #expect(refusal("a%d.png") { $0.first = -1 }.contains("number -1"))
        #expect(refusal("a%d.png") { ($0.first, $0.last) = (5, 4) }.contains("5 as its first"))
        var generated = VideoItem(.color(.black))
        generated.sequence = ImageSequence(rate: FrameRate(24))
        #expect(throws: MediaError.self) { try Timeline(videos: [generated]).validate() }
    }

    @Test func aWideGapIsNoSequence() throws {
        let folder = try TemporaryFolder()
        for number in [1, 200_000] {
            let name = folder.file("a\(number).gif")
            try Data(PlainGIF.bytes(delays: [10], width: 4, height: 4, isHalfClear: false))
                .write(to: URL(fileURLWithPath: name))
        }
        for gaps in ImageSequence.Gaps.allCases where gaps != .ignore {
            let error = #expect(throws: MediaError.self) {
                try Asset.load(
                    folder.file("a%d.gif"), as: ImageSequence(rate: FrameRate(24), gaps: gaps))
            }
            #expect(error?.message.contains("not pictures of one sequence") ?? false)
        }
        let all = try Asset.load(
            folder.file("a%d.gif"), as: ImageSequence(rate: FrameRate(24), gaps: .ignore))
        #expect(all.duration == MediaTime(value: 2, timescale: 24))
    }
}
