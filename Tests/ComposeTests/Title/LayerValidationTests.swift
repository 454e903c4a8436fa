import Media
import Testing

@testable import Compose

@Suite("Layers that cannot be drawn")
struct LayerValidationTests {
    private let box = Rectangle(x: 0, y: 0, width: 100, height: 50)

    private func message(_ layer: Layer) -> String {
        do {
            try layer.validate()
            return ""
        } catch {
            #expect(error.code == .invalidSetting)
            return error.message
        }
    }

    private func text(_ change: (inout TextContents) -> Void) -> Layer {
        var contents = TextContents("Hello")
        change(&contents)
        return Layer(name: "greeting", contents: .text(contents), frame: box)
    }

    @Test("a sound tree passes")
    func sound() {
        #expect(message(text { _ in }) == "")
        let style = TitleStyle.classic.layer(
            text: "Hello", image: "a.png",
            timeRange: MediaTimeRange(start: .seconds(1), duration: .seconds(3)),
            renderSize: PixelSize(width: 320, height: 180))
        #expect(message(style) == "")
    }

    @Test("numbers out of their range are refused with layer and field")
    func numbers() {
        var layer = Layer(name: "bad", frame: box)
        layer.position.x = .nan
        #expect(message(layer).contains("\"bad\": position is nan"))
        layer = Layer(name: "bad", frame: box)
        layer.bounds.width = -1
        #expect(message(layer).contains("bounds' size is -1.0"))
        layer = Layer(name: "bad", frame: box)
        layer.transform = .perspective(distance: 0)
        #expect(message(layer).contains("transform is -inf"))
        layer = Layer(contents: .solid(Color(red: 2, green: 0, blue: 0)), frame: box)
        #expect(message(layer).contains("color is 2.0"))
        #expect(message(text { $0.font.size = 0 }).contains("the font's size is 0.0"))
        #expect(message(text { $0.font.weight = 5000 }).contains("the font's weight"))
        #expect(message(text { $0.lineSpacing = 0 }).contains("the line spacing"))
    }

    @Test("a text has at most 10,000 characters, and no NUL")
    func characters() {
        #expect(message(text { $0.text = String(repeating: "x", count: 10_000) }) == "")
        let long = message(text { $0.text = String(repeating: "x", count: 10_001) })
        #expect(long.contains("10001 characters; the limit is 10000"))
        // one character on the screen, made of very many code points
        let bomb = "e" + String(repeating: "\u{301}", count: 50_000)
        #expect(message(text { $0.text = bomb }).contains("the limit is 10000"))
        #expect(message(text { $0.text = "a\0b" }).contains("NUL"))
    }

    @Test("animations without time, values or order are refused")
    func animations() {
        func message(_ animation: LayerAnimation) -> String {
            var layer = Layer(name: "moving", frame: box)
            layer.animations = [animation]
            return self.message(layer)
        }
        let second = AnimationTiming(duration: .seconds(1))
        #expect(
            message(.basic(.opacity, from: 0, to: 1, timing: AnimationTiming(duration: .zero)))
                .contains("animation of opacity has no duration"))
        #expect(message(.keyframes(.scaleX, values: [], timing: second)).contains("0 values"))
        #expect(
            message(.keyframes(.scaleX, values: [1, 2], keyTimes: [0], timing: second))
                .contains("2 values, 1 key times"))
        #expect(
            message(
                .keyframes(.scaleX, values: [1, 2, 3], keyTimes: [0, 0.7, 0.3], timing: second)
            )
            .contains("key times fall"))
        #expect(message(.basic(.scaleX, from: 0, to: .infinity, timing: second)).contains("inf"))
        var endless = second
        endless.repeats = .duration(.zero)
        #expect(
            message(.basic(.scaleX, from: 0, to: 1, timing: endless)).contains("repeats for no"))
    }

    @Test("too deep a tree is refused, not followed")
    func depth() {
        var layer = Layer(frame: box)
        for _ in 0..<63 { layer = Layer(frame: box, sublayers: [layer]) }
        #expect(message(layer) == "")
        layer = Layer(frame: box, sublayers: [layer])
        #expect(message(layer).contains("64 deep"))
    }

    @Test("a render size of nothing, or beyond the largest, is refused")
    func renderSize() {
        for size in [PixelSize(width: 0, height: 10), PixelSize(width: 16_385, height: 10)] {
            #expect(throws: MediaError.self) {
                try LayerRenderer(Layer(frame: box), renderSize: size)
            }
        }
    }
}
