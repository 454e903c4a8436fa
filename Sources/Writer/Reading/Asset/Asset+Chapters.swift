public import Media

extension Asset {
    /// A named part of the movie.
    public struct Chapter: Sendable, Hashable {
        /// When (movie time).
        public let timeRange: MediaTimeRange
        public let title: String
    }

    /// The markers as chapters: each lasts to the next one, the last to the movie's end.
    public var chapters: [Chapter] {
        let ends = markers.dropFirst().map(\.time) + [duration]
        return zip(markers, ends).map { marker, end in
            let length = end > marker.time ? (try? end.adding(-marker.time)) : .zero
            return Chapter(
                timeRange: MediaTimeRange(start: marker.time, duration: length ?? .zero),
                title: marker.text)
        }
    }
}
