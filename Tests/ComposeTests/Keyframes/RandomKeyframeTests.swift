import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

/// Clips with key frames at random, against a reference that knows no ramps: it works everything out anew for each
/// instant, in double precision.
@Suite("Key frames at random")
struct RandomKeyframeTests {
    private static let frame = PixelSize(width: 640, height: 360)

    @Test(
        "400 clips lie, look and sound at every instant as their key frames say", arguments: 1...8)
    func random(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<50 {
            let size = Size(
                width: Double(Int.random(in: 1...20, using: &random) * 40),
                height: Double(Int.random(in: 1...20, using: &random) * 40))
            let item = Self.item(&random)
            let assets = [
                SampleAsset.clip(
                    "a.mp4", seconds: 10, width: Int(size.width), height: Int(size.height))
            ]
            var settings = TimelineSettings(renderSize: Self.frame)
            settings.frameRate = FrameRate(50)
            let film = try TimelineBuilder(
                Timeline(
                    settings: settings, videos: [VideoItem("a.mp4")],
                    overlays: [OverlayTrack([item])]), assets: assets
            ).film()
            try film.videoComposition?.validate(for: film.composition)
            let mix = film.audioMix.inputs[1]
            for frame in 0..<500 {
                let time = MediaTime(value: Int64(frame), timescale: 50)
                let layer = try #require(
                    film.videoComposition?.instruction(at: time)?.layers.first)
                let wanted = Reference(item, size, Double(frame) / 50)
                let comparison = wanted.distance(to: layer, at: time, size)
                #expect(comparison < 0.15, "seed \(seed), frame \(frame) of \(item)")
                #expect(abs(layer.opacity(at: time) - wanted.opacity) < 0.001)
                #expect(abs(mix.gain(at: time) - wanted.volume) < 0.001)
                #expect(abs(mix.pan(at: time) - wanted.pan) < 0.001)
                #expect(wanted.isWithin(size), "a view leads out of its clip")
                guard comparison < 0.15 else { return }
            }
        }
    }

    private static func item(_ random: inout SplitMix) -> VideoItem {
        var item = VideoItem("a.mp4")
        item.fit = [FitMode.contain, .cover, .stretch].randomElement(using: &random)
        item.place = place(&random)
        if Bool.random(using: &random) { item.crop = crop(&random) }
        item.look.opacity = Double.random(in: 0...1, using: &random)
        item.volume = Double.random(in: 0...2, using: &random)
        item.pan = Double.random(in: -1...1, using: &random)
        if Bool.random(using: &random) { item.fadeIn = .milliseconds(1300) }
        var time: Int64 = 0
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            // whole frames, sometimes two at one time, sometimes behind the end
            time += Int64.random(in: 0...120, using: &random)
            var key = ClipKeyframe(
                MediaTime(value: time, timescale: 50), curve: curve(&random))
            if Bool.random(using: &random) { key.place = place(&random) }
            if Bool.random(using: &random) { key.crop = crop(&random) }
            if Bool.random(using: &random) { key.view = view(&random) }
            if Bool.random(using: &random) { key.opacity = .random(in: 0...1, using: &random) }
            if Bool.random(using: &random) { key.volume = .random(in: 0...3, using: &random) }
            if Bool.random(using: &random) { key.pan = .random(in: -1...1, using: &random) }
            if Bool.random(using: &random) {
                key.cornerRadius = .random(in: 0...0.5, using: &random)
            }
            if key.isEmpty { key.opacity = 1 }
            item.keyframes.append(key)
        }
        return item
    }

    private static func curve(_ random: inout SplitMix) -> TimingCurve {
        let curves: [TimingCurve] = [
            .linear, .easeIn, .easeInOut, .cubicBezier(0.3, -0.4, 0.6, 1.5),
        ]
        return curves.randomElement(using: &random) ?? .linear
    }

    private static func place(_ random: inout SplitMix) -> ClipPlace {
        var place = ClipPlace(
            Watermark.Anchor.allCases.randomElement(using: &random) ?? .center,
            width: Double.random(in: 0.1...0.8, using: &random))
        // whole turns too
        let isTurning = Int.random(in: 0..<4, using: &random) == 0
        if Bool.random(using: &random) { place.height = .random(in: 0.2...0.8, using: &random) }
        if Bool.random(using: &random) { place.left = .random(in: -0.3...0.9, using: &random) }
        if Bool.random(using: &random) { place.rotation = .random(in: -200...200, using: &random) }
        if isTurning { place.rotation = Double(Int.random(in: -4...4, using: &random) * 360) }
        return place
    }

    private static func crop(_ random: inout SplitMix) -> ClipCrop {
        ClipCrop(
            left: .random(in: 0...0.4, using: &random), top: .random(in: 0...0.4, using: &random),
            right: .random(in: 0...0.4, using: &random),
            bottom: .random(in: 0...0.4, using: &random))
    }

    private static func view(_ random: inout SplitMix) -> PictureMotion.View {
        .init(
            zoom: .random(in: 1...4, using: &random), x: .random(in: 0...1, using: &random),
            y: .random(in: 0...1, using: &random))
    }
}

/// A clip over a film of 640x360 at an instant, worked out from its key frames alone.
private struct Reference {
    /// Of what shows, in the frame: upper left, upper right, lower left.
    private var corners: [(x: Double, y: Double)] = []
    /// Of what shows (pixels of the clip).
    private var visible = Rectangle(x: 0, y: 0, width: 1, height: 1)
    private var radius = 0.0
    var opacity = 0.0
    var volume = 0.0
    var pan = 0.0

    /// The two values between which a value is, and how far.
    private static func way<Value>(
        _ own: Value, _ item: VideoItem, _ time: Double, _ value: (ClipKeyframe) -> Value?
    ) -> (Value, Value, Double) {
        var (last, since) = (own, 0.0)
        for key in item.keyframes {
            guard let next = value(key) else { continue }
            let at = key.time.approximateSeconds
            if at > time + 1e-9 {
                return (last, next, key.curve.value(at: (time - since) / (at - since)))
            }
            (last, since) = (next, at)
        }
        return (last, last, 0)
    }

    private static func number(
        _ own: Double, _ item: VideoItem, _ time: Double, _ value: (ClipKeyframe) -> Double?
    ) -> Double {
        let (from, to, part) = way(own, item, time, value)
        return from + (to - from) * part
    }

    init(_ item: VideoItem, _ size: Size, _ time: Double) {
        let fade = item.fadeIn > .zero ? min(1, time / item.fadeIn.approximateSeconds) : 1
        opacity = min(1, max(0, Self.number(item.look.opacity, item, time, \.opacity))) * fade
        volume = min(16, max(0, Self.number(item.volume, item, time, \.volume))) * fade
        pan = min(1, max(-1, Self.number(item.pan, item, time, \.pan)))
        func edge(_ path: KeyPath<ClipCrop, Double>) -> Double {
            min(
                1,
                max(
                    0, Self.number(item.crop[keyPath: path], item, time) { $0.crop?[keyPath: path] }
                ))
        }
        let (left, top) = (min(0.9999, edge(\.left)), min(0.9999, edge(\.top)))
        let (right, bottom) = (min(edge(\.right), 0.9999 - left), min(edge(\.bottom), 0.9999 - top))
        let (width, height) = ((1 - left - right) * size.width, (1 - top - bottom) * size.height)
        let (x, y) = (left * size.width, top * size.height)
        let (from, to, part) = Self.way(item.place ?? ClipPlace(), item, time, \.place)
        // at rest on the chroma grid; from one rest to the other without steps
        let cut = Self.way(item.crop, item, time, \.crop)
        func room(_ place: ClipPlace) -> [Double] {
            func fitted(_ width: Double, _ height: Double) -> [Double] {
                Self.room(place, width / height, item.fit == .contain)
            }
            let free = fitted(width, height)
            guard place.rotation == 0 else { return free }
            func step(_ crop: ClipCrop) -> [Double] {
                let rest = fitted(
                    (1 - crop.left - crop.right) * size.width,
                    (1 - crop.top - crop.bottom) * size.height)
                return zip(Self.onGrid(rest), rest).map { $0 - $1 }
            }
            let steps = zip(step(cut.0), step(cut.1)).map { $0 + ($1 - $0) * cut.2 }
            return zip(free, steps).map { $0 + $1 }
        }
        let room = zip(room(from), room(to)).map { $0 + ($1 - $0) * part }
        let (across, down) = (max(1, room[2]), max(1, room[3]))
        var scale = (across / width, down / height)
        if item.fit == .cover { scale = (max(scale.0, scale.1), max(scale.0, scale.1)) }
        // what of it: the view's middle, held within the clip
        let (near, far, share) = Self.way(PictureMotion.View(), item, time, \.view)
        let zoom = max(1, near.zoom * pow(far.zoom / near.zoom, share))
        func held(_ middle: (Double, Double), _ zoom: Double) -> (Double, Double) {
            let (wide, tall) = (across / scale.0 / zoom, down / scale.1 / zoom)
            return (
                wide >= width
                    ? x + width / 2 : min(max(middle.0, x + wide / 2), x + width - wide / 2),
                tall >= height
                    ? y + height / 2 : min(max(middle.1, y + tall / 2), y + height - tall / 2)
            )
        }
        func middle(_ view: PictureMotion.View) -> (Double, Double) {
            held((x + view.x * width, y + view.y * height), view.zoom)
        }
        let (first, second) = (middle(near), middle(far))
        let drawn =
            near.zoom == far.zoom
            ? share : (1 / zoom - 1 / near.zoom) / (1 / far.zoom - 1 / near.zoom)
        let center = held(
            (first.0 + (second.0 - first.0) * drawn, first.1 + (second.1 - first.1) * drawn), zoom)
        scale = (scale.0 * zoom, scale.1 * zoom)
        let shown = (min(width, across / scale.0), min(height, down / scale.1))
        visible = Rectangle(
            x: center.0 - shown.0 / 2, y: center.1 - shown.1 / 2, width: shown.0, height: shown.1)
        let angle = (from.rotation + (to.rotation - from.rotation) * part) * .pi / 180
        let (half, tall) = (shown.0 * scale.0 / 2, shown.1 * scale.1 / 2)
        corners = [(-half, -tall), (half, -tall), (-half, tall)].map { dx, dy in
            (
                room[0] + room[2] / 2 + dx * cos(angle) - dy * sin(angle),
                room[1] + room[3] / 2 + dx * sin(angle) + dy * cos(angle)
            )
        }
        let part2 = min(
            0.5, max(0, Self.number(item.look.cornerRadius, item, time, \.cornerRadius)))
        radius = part2 * min(half, tall) * 2
    }

    /// Left, top, width and height in the frame of what a place holds of a shape.
    private static func room(_ place: ClipPlace, _ shape: Double, _ isContained: Bool) -> [Double] {
        let width = (place.width ?? 0) * 640
        let height = place.height.map { $0 * 360 } ?? width / shape
        let margin = place.margin * 360
        let words = place.anchor.rawValue
        func start(_ low: String, _ high: String, _ whole: Double, _ length: Double) -> Double {
            if words.contains(low) { return margin }
            return words.contains(high) ? whole - length - margin : (whole - length) / 2
        }
        let x = place.left.map { $0 * 640 } ?? start("left", "right", 640, width)
        let y = start("top", "bottom", 360, height)
        guard isContained, place.height != nil else { return [x, y, width, height] }
        let (wide, tall) = (min(width, height * shape), min(height, width / shape))
        return [x + (width - wide) / 2, y + (height - tall) / 2, wide, tall]
    }

    private static func onGrid(_ room: [Double]) -> [Double] {
        func even(_ value: Double) -> Double { (value / 2).rounded() * 2 }
        let (wide, tall) = (max(2, even(room[2])), max(2, even(room[3])))
        return [
            even(room[0] + room[2] / 2 - wide / 2), even(room[1] + room[3] / 2 - tall / 2), wide,
            tall,
        ]
    }

    /// Whether what shows is of the clip.
    func isWithin(_ size: Size) -> Bool {
        visible.x > -1e-6 && visible.y > -1e-6 && visible.x + visible.width < size.width + 1e-6
            && visible.y + visible.height < size.height + 1e-6
    }

    /// The largest distance of a corner of what shows, of a point of its content, and of the radius (pixels).
    func distance(to layer: LayerInstruction, at time: MediaTime, _ size: Size) -> Double {
        let crop =
            layer.crop(at: time)?.rectangle
            ?? Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let map = layer.transform(at: time)
        let places = [
            (crop.x, crop.y), (crop.x + crop.width, crop.y), (crop.x, crop.y + crop.height),
        ].map { map.apply(x: $0.0, y: $0.1) }
        let contents = [
            (visible.x, visible.y), (visible.x + visible.width, visible.y),
            (visible.x, visible.y + visible.height),
        ].map { map.apply(x: $0.0, y: $0.1) }
        var worst = abs(layer.decoration(at: time).cornerRadius - radius)
        for (index, corner) in corners.enumerated() {
            for place in [places[index], contents[index]] {
                worst = max(worst, abs(place.x - corner.x), abs(place.y - corner.y))
            }
        }
        return worst
    }
}
