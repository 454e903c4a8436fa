import Media

/// How the frame is to be rotated.
enum WantedRotation: Sendable, Equatable {
    /// As the camera says of itself.
    case automatic
    /// Whatever the camera says.
    case exactly(VideoOrientation.Rotation)
}

extension ValueKind where Value == WantedRotation {
    static var rotation: ValueKind {
        ValueKind(
            "0|90|180|270|auto", expected: "0, 90, 180, 270 or auto",
            completion: .words(["0", "90", "180", "270", "auto"])
        ) { text in
            if text == "auto" { return .automatic }
            return Int(text).flatMap(VideoOrientation.Rotation.init(rawValue:))
                .map(WantedRotation.exactly)
        }
    }
}
