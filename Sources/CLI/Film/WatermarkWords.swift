import Compose
import Media

/// Where `--watermark-at` puts it.
enum WatermarkPlace: Sendable {
    case anchor(Watermark.Anchor)
    /// Of its upper left corner (pixels of the film).
    case exact(Point)
}

/// The options that say how a watermark, of `--watermark` or of a template, is shown.
struct WatermarkWords {
    let arguments: Arguments

    func apply(to watermark: inout Watermark?) throws(CommandFailure) {
        let specs = [
            ComposeOptions.watermarkPlace.spec, ComposeOptions.watermarkMargin.spec,
            ComposeOptions.watermarkSize.spec, ComposeOptions.watermarkOpacity.spec,
            ComposeOptions.watermarkStart.spec, ComposeOptions.watermarkLength.spec,
        ]
        guard let typed = specs.first(where: { arguments.isTyped($0) }) else { return }
        guard var mark = watermark else {
            throw CommandFailure(
                .usage,
                "\(typed.name) is for a watermark: give --watermark TEXT or IMAGE as well, or "
                    + "leave it out")
        }
        switch try arguments(ComposeOptions.watermarkPlace) {
        case .anchor(let anchor): (mark.anchor, mark.origin) = (anchor, nil)
        case .exact(let origin): mark.origin = origin
        case nil: break
        }
        if let margin = try arguments(ComposeOptions.watermarkMargin) {
            guard mark.origin == nil else {
                throw CommandFailure(
                    .usage,
                    "--watermark-margin is for a place at an edge or in a corner, and the "
                        + "watermark's is exact: leave it out")
            }
            guard mark.anchor != .center else {
                throw CommandFailure(
                    .usage,
                    "--watermark-margin is for a place at an edge or in a corner, and the "
                        + "watermark is in the middle: leave it out")
            }
            (mark.horizontalMargin, mark.verticalMargin) = (margin, margin)
        }
        mark.size = try arguments(ComposeOptions.watermarkSize) ?? mark.size
        mark.opacity = try arguments(ComposeOptions.watermarkOpacity) ?? mark.opacity
        let start = try arguments(ComposeOptions.watermarkStart)
        let length = try arguments(ComposeOptions.watermarkLength)
        if start != nil || length != nil {
            let from = start ?? mark.timeRange?.start ?? .zero
            let rest = max(.zero, Composition.longestDuration - from)
            mark.timeRange = MediaTimeRange(start: from, duration: length ?? rest)
        }
        watermark = mark
    }
}

extension ValueKind where Value == WatermarkPlace {
    /// One of the nine anchors, or "X,Y" in pixels of the film.
    static var watermarkPlace: ValueKind {
        let words = Watermark.Anchor.allCases.map(\.rawValue)
        return ValueKind(
            "PLACE|X,Y", expected: words.joined(separator: ", ") + ", or pixels such as 40,25"
        ) { text in
            if let anchor = Watermark.Anchor(rawValue: text) { return .anchor(anchor) }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let x = Int(parts[0]), let y = Int(parts[1]),
                (-16_384...16_384).contains(x), (-16_384...16_384).contains(y)
            else { return nil }
            return .exact(Point(x: Double(x), y: Double(y)))
        }
    }
}

extension ValueKind where Value == Double {
    /// A share of something.
    static func share(_ range: ClosedRange<Double>) -> ValueKind {
        func text(_ end: Double) -> String {
            end == end.rounded() ? "\(Int(end))" : "\(end)"
        }
        return ValueKind(
            "SHARE",
            expected: "a number from \(text(range.lowerBound)) to \(text(range.upperBound))"
        ) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
