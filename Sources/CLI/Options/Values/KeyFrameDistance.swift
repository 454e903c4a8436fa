import Media

/// How far sync samples may be apart.
enum KeyFrameDistance: Sendable, Equatable {
    case time(MediaTime)
    case frames(Int)
}

extension ValueKind where Value == KeyFrameDistance {
    /// `1s`, `500ms` or a number of frames.
    static var keyFrameDistance: ValueKind {
        ValueKind("1s|30", expected: "a time such as 1s, or a number of frames such as 30") {
            text in
            if let frames = scaledDecimal(text, scale: 0) {
                return (1...10_000).contains(frames) ? .frames(Int(frames)) : nil
            }
            guard let time = ValueKind<MediaTime>.duration.parse(text), time <= .seconds(60) else {
                return nil
            }
            return .time(time)
        }
    }
}
