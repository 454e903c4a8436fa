/// A frame's width and height (pixels; 1…16,384 each).
struct PictureSize: Sendable, Equatable {
    let width: Int
    let height: Int

    fileprivate static let names: [(name: String, size: PictureSize)] = [
        ("360p", PictureSize(width: 640, height: 360)),
        ("480p", PictureSize(width: 640, height: 480)),
        ("720p", PictureSize(width: 1280, height: 720)),
        ("1080p", PictureSize(width: 1920, height: 1080)),
        ("1440p", PictureSize(width: 2560, height: 1440)),
        ("2160p", PictureSize(width: 3840, height: 2160)),
        ("4k", PictureSize(width: 3840, height: 2160)),
    ]
}

extension ValueKind where Value == PictureSize {
    /// `1280x720`, `720p`, `1080p`, `4k`.
    static var size: ValueKind {
        ValueKind(
            "SIZE", expected: "a size such as 1280x720, 720p, 1080p or 4k",
            completion: .words(PictureSize.names.map(\.name))
        ) { text in
            let lower = text.lowercased()
            if let known = PictureSize.names.first(where: { $0.name == lower }) {
                return known.size
            }
            let parts = lower.split(separator: "x", omittingEmptySubsequences: false)
            guard parts.count == 2, let width = scaledDecimal(parts[0], scale: 0),
                let height = scaledDecimal(parts[1], scale: 0),
                (1...16_384).contains(width), (1...16_384).contains(height)
            else { return nil }
            return PictureSize(width: Int(width), height: Int(height))
        }
    }
}
