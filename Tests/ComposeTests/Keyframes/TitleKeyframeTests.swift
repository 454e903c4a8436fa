import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Key frames of titles")
struct TitleKeyframeTests {
    private let frame = PixelSize(width: 1000, height: 500)

    private func layer(_ edit: (inout TitleItem) -> Void) -> Layer {
        var title = TitleItem("Words", style: .plain, at: .seconds(3), duration: .seconds(8))
        edit(&title)
        return title.layer(
            over: MediaTimeRange(start: .seconds(3), duration: .seconds(8)), in: frame,
            theme: .plain)
    }

    @Test("a title without a placement is its style's layer")
    func plain() {
        let styled = TitleStyle.plain.layer(
            text: "Words", timeRange: MediaTimeRange(start: .seconds(3), duration: .seconds(8)),
            renderSize: frame)
        #expect(layer { _ in } == styled)
    }

    @Test("each value is what its key frames say, from the title's beginning on")
    func values() {
        let layer = layer { title in
            title.placement.opacity = 0
            title.keyframes = [
                TitleKeyframe(.seconds(2), curve: .easeIn), TitleKeyframe(.seconds(4)),
                TitleKeyframe(.seconds(4)),
            ]
            title.keyframes[0].opacity = 1
            title.keyframes[1].x = 0.5
            title.keyframes[1].rotation = 90
            title.keyframes[2].scale = 3
        }
        func values(_ time: MediaTime) -> [Double] {
            let shown = layer.presentation(at: time)
            return [shown.opacity, shown.position.x, shown.rotation.z, shown.scale.x]
        }
        let wanted: [(MediaTime, [Double])] = [
            (.seconds(3), [0, 500, 0, 1]),
            (.seconds(4), [TimingCurve.easeIn.value(at: 0.5), 625, 22.5, 1.5]),
            (.seconds(5), [1, 750, 45, 2]), (.seconds(7), [1, 1000, 90, 3]),
            (.seconds(10), [1, 1000, 90, 3]),
        ]
        for (time, numbers) in wanted {
            for (one, two) in zip(values(time), numbers) { #expect((one - two).magnitude < 1e-9) }
        }
    }

    @Test("two key frames at one time are a jump, at the end too")
    func jump() {
        let layer = layer { title in
            title.keyframes = [
                TitleKeyframe(.seconds(1)), TitleKeyframe(.seconds(1)), TitleKeyframe(.seconds(2)),
                TitleKeyframe(.seconds(2)),
            ]
            for (index, value) in [0.5, 0.2, 0.8, 0.1].enumerated() {
                title.keyframes[index].opacity = value
            }
        }
        for (seconds, opacity) in [(3.5, 0.75), (4, 0.2), (4.5, 0.5), (5, 0.1), (8, 0.1)] {
            let time = MediaTime(value: Int64(seconds * 10), timescale: 10)
            #expect(abs(layer.presentation(at: time).opacity - opacity) < 1e-6, "\(seconds)")
        }
    }

    @Test("it grows and rotates about its own middle")
    func middle() {
        var title = TitleItem("Words", style: .lowerThird)
        title.placement.scale = 2
        let layer = title.layer(
            over: MediaTimeRange(start: .zero, duration: .seconds(4)), in: frame,
            theme: .plain)
        // the box of a lower third lies below the frame's middle
        #expect(layer.position.y > 350 && layer.position.y < 500)
        #expect(layer.anchor.y == layer.position.y / 500)
    }

    @Test("what it cannot be is refused with its number")
    func refusals() {
        var title = TitleItem("Words")
        title.keyframes = [TitleKeyframe(.seconds(1)), TitleKeyframe(.seconds(2))]
        title.keyframes[0].x = 0
        #expect {
            try Timeline(titles: [title]).validate()
        } throws: {
            ($0 as? MediaError)?.subject == "key frame 2 of title 1 (\"Words\")"
        }
        title.keyframes[1].scale = 11
        #expect(throws: MediaError.self) { try Timeline(titles: [title]).validate() }
        title.keyframes[1].scale = 10
        #expect(throws: Never.self) { try Timeline(titles: [title]).validate() }
    }
}
