import Media

@testable import Compose

/// What of a clip is seen, and how.
extension Draw {
    mutating func place() -> ClipPlace {
        var place = ClipPlace(pick(Watermark.Anchor.self))
        guard chance(70) else { return place }
        place.margin = real(0...1)
        place.left = maybe(40) { $0.real(-4...4) }
        place.top = maybe(40) { $0.real(-4...4) }
        place.width = maybe(50) { $0.real(0.001...4) }
        place.height = maybe(50) { $0.real(0.001...4) }
        place.rotation = chance(50) ? real(-360...360) : 0
        return place
    }

    mutating func crop() -> ClipCrop {
        ClipCrop(
            left: real(0...0.4), top: real(0...0.4), right: real(0...0.4), bottom: real(0...0.4))
    }

    mutating func border() -> ClipLook.Border {
        ClipLook.Border(width: chance(30) ? 0.005 : real(0.0001...0.5), color: color())
    }

    mutating func shadow() -> ClipLook.Shadow {
        chance(30)
            ? ClipLook.Shadow()
            : ClipLook.Shadow(
                color: color(), blur: real(0...0.5), x: real(-0.5...0.5), y: real(-0.5...0.5))
    }

    mutating func look() -> ClipLook {
        ClipLook(
            opacity: chance(50) ? 1 : real(0...1), cornerRadius: chance(50) ? 0 : real(0...0.5),
            border: maybe(40) { $0.border() }, shadow: maybe(40) { $0.shadow() })
    }

    mutating func view() -> PictureMotion.View {
        PictureMotion.View(zoom: real(1...10), x: real(0...1), y: real(0...1))
    }

    mutating func motion() -> ClipMotion {
        switch int(0...2) {
        case 0: .automatic
        case 1: .views(pick(PictureMotion.named.map(\.motion)))
        default: .views(PictureMotion(from: view(), to: view()))
        }
    }

    mutating func key() -> ChromaKey {
        let color = pick([
            ChromaKey.green, ChromaKey.blue, Color(red: 1, green: 51.0 / 255, blue: 0),
        ])
        return chance(40)
            ? ChromaKey(color)
            : ChromaKey(
                color, tolerance: real(0...1), softness: real(0...1), spill: real(0...1))
    }

    private mutating func tone() -> ToneCurve {
        var (points, input): ([ToneCurve.Point], Double) = ([], 0)
        for _ in 0..<int(2...5) {
            points.append(ToneCurve.Point(input, real(0...1)))
            input = min(1, input + 0.05 + real(0...0.15))
        }
        return ToneCurve(points)
    }

    private mutating func channels(_ range: ClosedRange<Double>) -> ChannelValues {
        chance(40)
            ? ChannelValues(real(range))
            : ChannelValues(red: real(range), green: real(range), blue: real(range))
    }

    /// One that changes something.
    mutating func grade() -> ColorGrade {
        var grade = ColorGrade()
        grade.exposure = real(0.01...8)
        if chance(30) { grade.temperature = real(-100...100) }
        if chance(30) { grade.tint = real(-100...100) }
        if chance(30) { grade.contrast = real(0...4) }
        if chance(30) { grade.saturation = real(0...4) }
        if chance(30) { grade.lift = channels(-1...1) }
        if chance(30) { grade.gamma = channels(0.1...10) }
        if chance(30) { grade.gain = channels(0...8) }
        grade.curve = maybe(30) { $0.tone() }
        grade.redCurve = maybe(15) { $0.tone() }
        grade.greenCurve = maybe(15) { $0.tone() }
        grade.blueCurve = maybe(15) { $0.tone() }
        grade.inputTable = chance(20) ? "log.cube" : nil
        if chance(30) { (grade.table, grade.tableStrength) = ("look.cube", real(0.1...1)) }
        return grade
    }

    // MARK: Areas

    private mutating func area() -> FrameArea {
        var area = FrameArea()
        area.shape = maybe(70) { $0.pick(FrameArea.Shape.self) }
        if let shape = area.shape {
            (area.x, area.y) = (real(0...1), real(0...1))
            (area.width, area.height) = (real(0.05...2), real(0.05...2))
            area.rotation = chance(30) ? real(-360...360) : 0
            area.softness = chance(30) ? real(0...1) : 0
            area.cornerRadius = shape == .rectangle && chance(30) ? real(0...0.5) : 0
        }
        area.picture = area.shape == nil || chance(20) ? "mask.png" : nil
        if chance(30) {
            area.above = maybe(60) { $0.real(0...0.4) }
            area.below = area.above == nil ? real(0.1...1) : maybe(50) { $0.real(0.5...1) }
            area.lumaSoftness = chance(50) ? 0.05 : real(0...1)
        }
        area.isInverted = chance(25)
        return area
    }

    private mutating func areaKeys(_ area: FrameArea) -> [AreaKeyframe] {
        guard area.shape != nil || area.above != nil, chance(40) else { return [] }
        return times(1...3).map { time in
            var key = AreaKeyframe(time, curve: curve())
            if area.shape != nil {
                key.x = real(-1...2)
                key.y = maybe(50) { $0.real(-1...2) }
                key.width = maybe(30) { $0.real(0.1...2) }
                key.height = maybe(30) { $0.real(0.1...2) }
                key.rotation = maybe(30) { $0.real(-360...360) }
                key.softness = maybe(30) { $0.real(0...1) }
            }
            if area.above != nil { key.above = real(0...0.4) }
            if area.below != nil { key.below = maybe(50) { $0.real(0.5...1) } }
            return key
        }
    }

    mutating func mask() -> ClipMask {
        let area = area()
        return ClipMask(area, keyframes: areaKeys(area))
    }

    mutating func effect() -> ClipEffect {
        var effect =
            chance(50)
            ? ClipEffect(chance(40) ? AreaBlur() : AreaBlur(size: real(0.001...0.5)))
            : ClipEffect(chance(40) ? AreaMosaic() : AreaMosaic(size: real(0.002...1)))
        if chance(25) {
            effect.follow = pick(FollowedObject.self)
        } else if chance(80) {
            effect.area = area()
            effect.keyframes = areaKeys(effect.area)
        }
        effect.at = chance(40) ? milliseconds(0...900) : .zero
        effect.duration = maybe(40) { $0.milliseconds(10...900) }
        return effect
    }
}
