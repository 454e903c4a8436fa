import Media

@testable import Compose
@testable import Reading

/// A value as text, one line a fact, indented by what it is part of.
///
/// All stored properties are there, found by reflection: one that is added later is in the text by itself. What is as
/// `usual` says is left out, and the usual values are a text of their own. Numbers are written so that they come back
/// as they were; times with their timescale (`@1000`) where it is not the timeline's.
struct FactDump {
    /// What a type's values are like unless said otherwise; what nobody can leave out is like no other value.
    static let usual: [(name: String, value: any Sendable)] = [
        ("Layer", Layer(bounds: unlike)),
        ("TextContents", TextContents("?")),
        ("ImageContents", ImageContents(path: "?")),
        ("AnimationTiming", AnimationTiming(duration: never.duration)),
        ("Instruction", Instruction(timeRange: never)),
        ("LayerInstruction", LayerInstruction(trackID: -1)),
        ("OpacityRamp", OpacityRamp(timeRange: never, from: .nan, to: .nan)),
        (
            "TransformRamp",
            TransformRamp(
                timeRange: never, from: .scale(x: .nan, y: 1), to: .scale(x: .nan, y: 1))
        ),
        ("CropRectangleRamp", CropRectangleRamp(timeRange: never, from: unlike, to: unlike)),
        ("AudioMix", AudioMix()),
        ("AudioMixInput", AudioMixInput(trackID: -1)),
        ("VolumeRamp", VolumeRamp(timeRange: never, from: .nan, to: .nan)),
        ("DuckingRule", DuckingRule(trackIDs: [-1], under: [-1])),
    ]
    private static let unlike = Rectangle(x: .nan, y: .nan, width: .nan, height: .nan)
    private static let never = MediaTimeRange(
        start: .zero, duration: MediaTime(value: 1, timescale: .max))

    private(set) var lines: [String] = []

    /// All of a value.
    static func text(_ value: Any, as name: String) -> String {
        var dump = FactDump()
        dump.add(value, as: name)
        return dump.text
    }

    /// The usual values, whole.
    static var usualText: String {
        var dump = FactDump()
        for (name, value) in usual { dump.add(value, as: name, isWhole: true) }
        return dump.text
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// - Parameter isWhole: whether what is as usual is written too.
    mutating func add(_ value: Any, as name: String, depth: Int = 0, isWhole: Bool = false) {
        let margin = String(repeating: "  ", count: depth)
        if let leaf = Self.leaf(value) {
            lines.append("\(margin)\(name) \(leaf)")
            return
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let some = mirror.children.first?.value else {
                lines.append("\(margin)\(name) none")
                return
            }
            add(some, as: name, depth: depth)
        case .collection:
            if mirror.children.isEmpty { lines.append("\(margin)\(name) empty") }
            for (index, child) in mirror.children.enumerated() {
                add(child.value, as: "\(name) \(index)", depth: depth)
            }
        case .enum:
            guard let payload = mirror.children.first else {
                lines.append("\(margin)\(name) \(value)")
                return
            }
            let label = payload.label ?? "?"
            if Mirror(reflecting: payload.value).displayStyle == .tuple {
                lines.append("\(margin)\(name) \(label)")
                for part in Mirror(reflecting: payload.value).children {
                    add(part.value, as: part.label ?? "?", depth: depth + 1)
                }
            } else {
                add(payload.value, as: "\(name) \(label)", depth: depth)
            }
        case .struct:
            lines.append("\(margin)\(name)")
            addProperties(mirror, of: value, depth: depth + 1, isWhole: isWhole)
        case nil:
            lines.append("\(margin)\(name) \(value)")
        default:
            lines.append("\(margin)\(name) \(type(of: value))")
        }
    }

    private mutating func addProperties(
        _ mirror: Mirror, of value: Any, depth: Int, isWhole: Bool
    ) {
        let usual = isWhole ? nil : Self.usual.first { type(of: $0.value) == type(of: value) }
        let known = usual.map { Array(Mirror(reflecting: $0.value).children) } ?? []
        for (index, child) in mirror.children.enumerated() {
            let label = child.label ?? "?"
            var own = FactDump()
            own.add(child.value, as: label, depth: depth)
            if index < known.count {
                var other = FactDump()
                other.add(known[index].value, as: label, depth: depth)
                if own.lines == other.lines { continue }
            }
            lines += own.lines
        }
    }

    /// What stands on one line; nil: its parts do.
    private static func leaf(_ value: Any) -> String? {
        switch value {
        case let text as String: return text.debugDescription
        case let number as Double: return "\(number)"
        case let time as MediaTime: return words(time)
        case let range as MediaTimeRange:
            return "\(words(range.start)) for \(words(range.duration))"
        case let numbers as [Double]: return numbers.isEmpty ? nil : "\(numbers)"
        case let numbers as [Int]: return numbers.isEmpty ? nil : "\(numbers)"
        case let size as PixelSize: return "\(size.width)x\(size.height)"
        case let source as MediaSource: return "\(source.path), track \(source.trackID)"
        case let asset as Asset: return asset.path
        case let preset as ExportPreset: return preset.name
        case let picture as PixelBuffer:
            return "\(picture.width)x\(picture.height)"
        case let format as VideoFormat: return "\(format.width)x\(format.height)"
        default: return geometry(value)
        }
    }

    private static func geometry(_ value: Any) -> String? {
        switch value {
        case let point as Point: "(\(point.x), \(point.y))"
        case let size as Size: "\(size.width) x \(size.height)"
        case let frame as Rectangle:
            "\(frame.width) x \(frame.height) at (\(frame.x), \(frame.y))"
        case let color as Color:
            "rgb \(color.red) \(color.green) \(color.blue)"
                + (color.alpha == 1 ? "" : ", alpha \(color.alpha)")
        case let map as Transform2D:
            map == .identity
                ? "identity" : "[\(map.a) \(map.b) \(map.c) \(map.d) \(map.tx) \(map.ty)]"
        case let map as Transform3D where map == .identity: "identity"
        case let rotation as Rotation3D: "x \(rotation.x) y \(rotation.y) z \(rotation.z)"
        case let curve as TimingCurve:
            curve == .linear ? "linear" : "(\(curve.x1) \(curve.y1) \(curve.x2) \(curve.y2))"
        default: nil
        }
    }

    /// Seconds where six decimals hold them, and the timescale where it is not the timeline's.
    private static func words(_ time: MediaTime) -> String {
        let place = time.timescale == Composition.timescale ? "" : " @\(time.timescale)"
        let micros = time.ticks(per: 1_000_000, rounding: .down)
        guard MediaTime(value: micros, timescale: 1_000_000) == time else {
            return "\(time.value) ticks\(place)"
        }
        return time.spoken + place
    }
}
