import Media

@testable import Compose

/// Clips of all kinds, as projects hold them.
extension Draw {
    mutating func treatment() -> AudioTreatment {
        guard chance(25) else { return AudioTreatment() }
        return AudioTreatment(
            lowCut: maybe(50) { $0.real(20...1000) }, gate: maybe(50) { $0.gate() },
            limiter: maybe(50) { $0.real(-40...0) })
    }

    private mutating func gate() -> NoiseGate {
        chance(40)
            ? NoiseGate(threshold: real(-90...0))
            : NoiseGate(
                threshold: real(-90...0), range: real(1...90), hysteresis: real(0...24),
                attack: milliseconds(1...1000), hold: milliseconds(0...5000),
                release: milliseconds(1...5000))
    }

    private mutating func generator() -> Generator {
        switch int(0...3) {
        case 0: .color(chance(30) ? .black : color())
        case 1:
            .gradient(
                Generator.Gradient(
                    several(2...4) { draw, _ in draw.color() }, shape: pick([.linear, .radial])))
        case 2: .bars(pick(Generator.Bars.self))
        default:
            .counter(
                Generator.Counter(
                    pick(Generator.Counter.Direction.self),
                    from: maybe(60) { $0.milliseconds(20_000...40_000) }))
        }
    }

    /// Sources by what they are.
    static let movies = ["a.mp4", "clips/b c.mov", "clips/100%.mkv"]
    static let (take, gif, still, talk) = ("take.mp4", "c.gif", "d.jpg", "talk.wav")

    /// Whether a clip has audio.
    static func isHeard(_ item: VideoItem) -> Bool {
        let has = item.generator.map(\.hasAudio) ?? ![gif, still].contains(item.path)
        return has && item.freeze == nil && item.voices != []
            && (item.volume > 0 || item.keyframes.contains { ($0.volume ?? 0) > 0 })
    }

    /// A clip that lasts for two seconds at least, and can come and go by transitions of one.
    mutating func clip(isOverlay: Bool) -> VideoItem {
        var item: VideoItem
        switch int(0...19) {
        case 0...3: item = VideoItem(generator(), duration: maybe(80) { $0.length() })
        case 4: item = still()
        case 5: item = VideoItem(Self.gif, end: .seconds(3))
        case 6: item = played(VideoItem(Self.talk))
        case 7, 8: item = played(ofTake())
        case 9, 10: item = frozen()
        default: item = played(VideoItem(pick(Self.movies)))
        }
        item.name = maybe(30) { "Clip " + $0.text() }
        dress(&item, isOverlay: isOverlay)
        return item
    }

    /// A length whose shares at usual speeds are whole ticks.
    private mutating func length() -> MediaTime { milliseconds(2400...4800, step: 240) }

    private mutating func still() -> VideoItem {
        var item = VideoItem(Self.still, end: maybe(50) { $0.length() })
        if item.end != nil, chance(30) {
            item.speed = pick([Speed(2), Speed(1, per: 2)])
            item.end = .milliseconds(4800)
        }
        return item
    }

    private mutating func frozen() -> VideoItem {
        var item = VideoItem(pick(Self.movies), start: time(upTo: 20))
        item.freeze = length()
        return item
    }

    private mutating func ofTake() -> VideoItem {
        var item = VideoItem(Self.take)
        item.track = maybe(50) { $0.pick([1, 2]) }
        item.voices = maybe(60) { draw in
            [3, 4].compactMap { track in
                draw.maybe(60) {
                    var voice = ClipVoice(track: track)
                    if $0.chance(60) {
                        (voice.volume, voice.pan) = ($0.real(0...16), $0.real(-1...1))
                    }
                    voice.treatment = $0.treatment()
                    voice.keyframes = $0.audioKeys()
                    return voice
                }
            }
        }
        return item
    }

    /// What changes of volume and pan.
    mutating func audioKeys() -> [AudioKeyframe] {
        guard chance(30) else { return [] }
        return times(1...4).map { time in
            var key = AudioKeyframe(time, curve: curve())
            key.volume = maybe(60) { $0.real(0...16) }
            key.pan = maybe(50) { $0.real(-1...1) }
            if key.isEmpty { key.pan = real(-1...1) }
            return key
        }
    }

    /// One that may ask for more than there is.
    mutating func audioCut() -> AudioCut {
        switch int(0...3) {
        case 0: .j(milliseconds(0...300), crossfade: maybe(40) { $0.milliseconds(0...200) })
        case 1: .l(milliseconds(0...300), crossfade: maybe(40) { $0.milliseconds(0...200) })
        default: AudioCut(crossfade: milliseconds(0...200))
        }
    }

    /// A part of it at some speed, in some direction.
    private mutating func played(_ plain: VideoItem) -> VideoItem {
        var item = plain
        let speeds: [(Int32, Int32)] = [(2, 1), (1, 2), (3, 2), (4, 1), (1, 4), (2, 3), (3, 1)]
        let length = length()
        item.isReversed = chance(20)
        item.blendsFrames = chance(20)
        if chance(50) {
            let (over, under) = pick(speeds)
            item.speed = Speed(over, per: under)
            item.start = milliseconds(0...5000)
            item.end = .milliseconds(
                item.start.value * (1000 / Int64(item.start.timescale)) + length.value
                    * (1000 / Int64(length.timescale)) * Int64(over) / Int64(under))
        } else {
            item.start = time(upTo: 20)
            if chance(85) { item.end = item.start + length }
        }
        if chance(15) { ramp(&item) }
        return item
    }

    /// Its speed changes on the way.
    private mutating func ramp(_ item: inout VideoItem) {
        (item.start, item.end) = (milliseconds(0...5000), nil)
        item.speed = pick([.normal, Speed(3, per: 2), Speed(1, per: 2)])
        item.end = maybe(70) { _ in item.start + .seconds(12) }
        item.keyframes = times(1...3).map { time in
            var key = ClipKeyframe(time, curve: curve())
            key.speed = pick([Speed(1, per: 2), Speed(2), Speed(5, per: 4), Speed(1)])
            return key
        }
    }

    private mutating func dress(_ item: inout VideoItem, isOverlay: Bool) {
        if chance(20) { item.place = place() }
        if chance(15) { item.crop = crop() }
        if chance(20) { item.look = look() }
        if chance(15) { item.key = key() }
        if chance(20) { item.mask = mask() }
        if chance(20) { item.effects = several(1...3) { draw, _ in draw.effect() } }
        if chance(25) { item.grade = grade() }
        if chance(25) { item.volume = real(0...16) }
        if chance(15), item.freeze == nil { item.loudness = real(-40 ... -5) }
        if chance(20) { item.pan = real(-1...1) }
        item.treatment = treatment()
        if chance(40) { item.audioCut = audioCut() }
        if chance(20) { item.fadeIn = milliseconds(1...500) }
        if chance(20) { item.fadeOut = milliseconds(1...500) }
        if item.generator != nil || item.freeze != nil {
            if chance(15), item.generator != nil { item.voices = [] }
        } else if chance(15), ![Self.take, Self.talk].contains(item.path) {
            item.voices = []
        }
        var movesView = false
        switch int(0...9) {
        case 0: item.view = view()
        case 1: item.motion = motion()
        case 2 where item.freeze == nil && item.generator == nil:
            item.follow = pick(FollowedObject.self)
        case 3: movesView = true
        default: break
        }
        if movesView || chance(15) { animate(&item, movesView: movesView) }
        let mayBlur =
            !isOverlay && !item.isFramed && item.key == nil && item.mask == nil
        if chance(25) {
            item.fit = pick([.contain, .cover, .stretch, mayBlur ? .blurred : .cover])
        }
    }

    private mutating func animate(_ item: inout VideoItem, movesView: Bool) {
        let table = item.grade.inputTable
        let known = item.keyframes
        item.keyframes =
            (known.isEmpty ? times(1...4).map { ClipKeyframe($0, curve: curve()) } : known)
            .map { key in
                var key = key
                key.volume = maybe(40) { $0.real(0...16) }
                key.pan = maybe(30) { $0.real(-1...1) }
                key.opacity = maybe(30) { $0.real(0...1) }
                key.cornerRadius = maybe(20) { $0.real(0...0.5) }
                key.place = maybe(20) { $0.place() }
                key.crop = maybe(20) { $0.crop() }
                key.border = maybe(20) { $0.border() }
                key.shadow = maybe(20) { $0.shadow() }
                key.grade = maybe(25) {
                    var grade = $0.grade()
                    grade.inputTable = table
                    return grade
                }
                if movesView { key.view = view() }
                if key.isEmpty { key.volume = real(0...16) }
                return key
            }
    }

    // MARK: Rows

    /// Clips one after the other, with what lies between.
    mutating func row(_ count: ClosedRange<Int>, isOverlay: Bool) -> [VideoItem] {
        var items: [VideoItem] = []
        var hasAnchor = false
        for _ in 0..<int(count) {
            var item = clip(isOverlay: isOverlay)
            switch int(0...4) {
            case 0, 1:
                guard let before = items.last else { break }
                let isFramed = isOverlay || item.isFramed || before.isFramed
                item.transition = transition(isFramed: isFramed)
                item.fadeIn = .zero
                items[items.count - 1].fadeOut = .zero
            case 2: item.gap = milliseconds(1...2000)
            case 3 where items.isEmpty || !hasAnchor:
                // behind all that can come before
                hasAnchor = true
                item.at = .milliseconds(
                    Int64(items.isEmpty ? int(0...3000) : 200_000 + int(0...999)))
            default: break
            }
            items.append(item)
        }
        return items
    }

    private mutating func transition(isFramed: Bool) -> Transition {
        let duration = milliseconds(480...960, step: 48)
        var transition = Transition.dissolve(duration)
        if !isFramed {
            switch int(0...7) {
            case 0: transition = .push(pick(Transition.Direction.self), duration)
            case 1:
                transition = .wipe(
                    pick(Transition.Direction.self), softness: chance(40) ? 0.02 : real(0...1),
                    duration)
            case 2: transition = .fade(through: chance(40) ? .black : opaque(), duration)
            case 3: transition = .zoom(pick([.inward, .outward]), duration)
            case 4:
                transition = .iris(
                    pick([.opening, .closing]), softness: chance(40) ? 0.02 : real(0...1),
                    center: chance(40)
                        ? Point(x: 0.5, y: 0.5) : Point(x: real(0...1), y: real(0...1)), duration)
            case 5:
                transition = .luma(
                    "clouds.png", softness: chance(40) ? 0.1 : real(0...1),
                    isInverted: chance(50), duration)
            default: break
            }
        }
        if chance(30) { transition.curve = curve() }
        return transition
    }
}
