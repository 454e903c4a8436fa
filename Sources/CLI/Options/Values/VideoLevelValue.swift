import Media

extension ValueKind where Value == VideoLevel {
    /// `4`, `4.1`.
    static var videoLevel: ValueKind {
        ValueKind(
            "LEVEL", expected: "a level such as 4.1",
            completion: .words(["3.1", "4", "4.1", "5", "5.1"])
        ) { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(parts.count), let major = parts[0], (1...9).contains(major)
            else {
                return nil
            }
            guard parts.count == 2 else { return VideoLevel(major) }
            return parts[1].flatMap { (0...9).contains($0) ? VideoLevel(major, $0) : nil }
        }
    }
}
