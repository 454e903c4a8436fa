public import Media
internal import Movie
internal import Reading

/// One track of a composition: segments without holes from the timeline's zero on.
public struct CompositionTrack: Sendable, Hashable {
    /// Of the composition (positive).
    public let id: Int
    public let mediaType: MediaType
    /// Contiguous, in order of time, none of length zero.
    public internal(set) var segments: [TrackSegment]
    /// Of the first frame source inserted: upright, square pixels, rounded to whole pixels.
    public internal(set) var naturalSize: PixelSize?
    /// Of the first text source inserted (BCP 47; nil = undetermined).
    public internal(set) var language: String?
    /// Of text: what players show (nil: none).
    public internal(set) var name: String?
    /// Of text: whether players show it even where nobody asks for subtitles.
    public internal(set) var isForced = false
    /// Of the first metadata source inserted: all of a track have the same keys.
    public internal(set) var metadataFormat: MetadataFormat?

    init(id: Int, mediaType: MediaType) {
        self.id = id
        self.mediaType = mediaType
        segments = []
    }

    /// From zero to the end of the last segment (seconds).
    public var duration: MediaTime { .timeline(endTick) }

    /// The segment at an instant of the timeline; nil past the end.
    public func segment(at time: MediaTime) -> TrackSegment? {
        guard time >= .zero else { return nil }
        let index = segments.partitioningIndex { $0.timeRange.end > time }
        return index < segments.count ? segments[index] : nil
    }
}

extension CompositionTrack {
    var endTick: Int64 { segments.last?.end ?? 0 }

    /// Whether a source track is of the track's kind, text in its language, and metadata of its keys.
    func takes(_ track: AssetTrack) -> Bool {
        guard mediaType == track.mediaType else { return false }
        if mediaType == .metadata {
            return segments.allSatisfy(\.isEmpty) || metadataFormat == track.format?.metadata
        }
        return mediaType != .text || segments.allSatisfy(\.isEmpty)
            || LanguageCode.threeLetters(language) == LanguageCode.threeLetters(track.language)
    }

    /// Makes a tick a border between segments; answers the first segment from it on. Past the end the
    /// track is filled up with nothing.
    mutating func border(at tick: Int64) -> Int {
        if tick > endTick { append(TrackSegment(emptyFrom: endTick, ticks: tick - endTick)) }
        let index = segments.partitioningIndex { $0.end > tick }
        guard index < segments.count, segments[index].start < tick else { return index }
        let (before, after) = segments[index].cut(at: tick)
        segments.replaceSubrange(index...index, with: [before, after])
        return index + 1
    }

    /// Puts a segment in; what was there and after it moves on.
    mutating func insert(_ segment: TrackSegment, at tick: Int64) {
        let index = border(at: tick)
        shift(from: index, by: segment.ticks)
        segments.insert(segment.placed(at: tick), at: index)
        heal(at: index + 1, onlyEmpty: true)
        heal(at: index, onlyEmpty: true)
    }

    /// Takes out a span; what was after it moves up.
    mutating func remove(from: Int64, to: Int64) {
        let to = min(to, endTick)
        guard from < to else { return }
        let first = border(at: from)
        let last = border(at: to)
        segments.removeSubrange(first..<last)
        shift(from: first, by: from - to)
        heal(at: first, onlyEmpty: false)
    }

    /// Gives a span another length; what was after it moves.
    /// - Returns: The start of a segment that would have no length; nil when all went well.
    mutating func scale(from: Int64, ticks: Int64, to newTicks: Int64) -> Int64? {
        let first = border(at: from)
        let last = border(at: from + ticks)
        func place(_ tick: Int64) -> Int64 {
            from + Int64(Int128(tick - from) * Int128(newTicks) / Int128(ticks))
        }
        for index in first..<last {
            let segment = segments[index]
            let (start, end) = (place(segment.start), place(segment.end))
            guard end > start else { return segment.start }
            segments[index] = segment.placed(at: start, ticks: end - start)
        }
        shift(from: last, by: newTicks - ticks)
        return nil
    }

    /// Turns the segments of a span round.
    mutating func reverse(from: Int64, to: Int64) {
        let first = border(at: from)
        let last = border(at: to)
        let turned = segments[first..<last].reversed().map { segment in
            segment.reversed.placed(at: from + to - segment.end)
        }
        segments.replaceSubrange(first..<last, with: turned)
        heal(at: last, onlyEmpty: true)
        heal(at: first, onlyEmpty: true)
    }

    /// Lets the last segment go through its source otherwise; a course is as long in the source as it is.
    mutating func playLast(_ play: SegmentPlay) {
        guard let last = segments.popLast() else { return }
        segments.append(last.playing(play))
    }

    /// Lets the segments of a span mix their frames, or not.
    mutating func blendFrames(_ isOn: Bool, from: Int64, to: Int64) {
        let first = border(at: from)
        let last = border(at: min(to, endTick))
        for index in first..<max(first, last) {
            var play = segments[index].play
            play.blendsFrames = isOn
            segments[index] = segments[index].playing(play)
        }
    }

    private mutating func append(_ segment: TrackSegment) {
        segments.append(segment)
        heal(at: segments.count - 1, onlyEmpty: true)
    }

    private mutating func shift(from index: Int, by ticks: Int64) {
        for later in index..<segments.count {
            segments[later] = segments[later].placed(at: segments[later].start + ticks)
        }
    }

    /// Joins a segment with the one before it where the second continues with the first.
    private mutating func heal(at index: Int, onlyEmpty: Bool) {
        guard index > 0, index < segments.count else { return }
        let (before, after) = (segments[index - 1], segments[index])
        guard !onlyEmpty || before.isEmpty, before.continues(with: after) else { return }
        segments.replaceSubrange((index - 1)...index, with: [before.joined(with: after)])
    }
}

extension Array {
    /// The first index from which on the condition holds; it must hold for every later element too.
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
