import Compose

extension ValueKind where Value == PictureMotion {
    /// A direction by name, or two views: how much larger, and what of the frame is in the middle (per cent from
    /// the left and from the top), such as `1@50,50:1.4@70,30`.
    static var motion: ValueKind {
        ValueKind(
            "MOTION",
            expected: "in, out, left, right, up, down, or two views such as 1@50,50:1.4@70,30",
            completion: .words(PictureMotion.named.map(\.name))
        ) { text in
            if let known = PictureMotion.named.first(where: { $0.name == text }) {
                return known.motion
            }
            let views = text.split(separator: ":", omittingEmptySubsequences: false)
                .map(PictureMotion.View.init(typed:))
            guard views.count == 2, let from = views[0], let to = views[1] else { return nil }
            return PictureMotion(from: from, to: to)
        }
    }
}

extension PictureMotion {
    fileprivate static let named: [(name: String, motion: PictureMotion)] = [
        ("in", .inwards), ("out", .outwards), ("left", .leftwards), ("right", .rightwards),
        ("up", .upwards), ("down", .downwards),
    ]
}

extension PictureMotion.View {
    /// `ZOOM@X,Y`.
    fileprivate init?(typed text: Substring) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let zoom = Double(parts[0]), (1...10).contains(zoom) else {
            return nil
        }
        let place = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard place.count == 2, let x = place[0], let y = place[1], (0...100).contains(x),
            (0...100).contains(y)
        else { return nil }
        self.init(zoom: zoom, x: x / 100, y: y / 100)
    }
}
