package import Media

/// Metadata of a movie to be written, all of it known before the movie begins: what is carried over from others.
package struct MetadataTrack: Sendable {
    package var format: MetadataFormat
    /// Samples of the format, by movie time, in order of their start; each lasts for its duration, or until the next
    /// one where it has none or that begins before.
    package var samples: [SampleBuffer]
    /// Ticks per second of the track (1/s; positive).
    package var timescale: Int32
    /// BCP 47 (nil = undetermined).
    package var language: String?
    package var name: String?

    package init(
        format: MetadataFormat, samples: [SampleBuffer], timescale: Int32 = 90_000,
        language: String? = nil, name: String? = nil
    ) {
        self.format = format
        self.samples = samples
        self.timescale = timescale
        self.language = language
        self.name = name
    }

    var containerTrack: ContainerTrack {
        ContainerTrack(
            format: .metadata(format), timescale: timescale, language: language, name: name)
    }

    /// The samples in ticks of the track, one behind the other: where nothing is known an empty one says so. Of
    /// samples that begin in one tick the last one counts.
    var placed: [SampleBuffer] {
        var result: [SampleBuffer] = []
        /// Where the last one ends, unless it lasts on.
        var end: Int64?
        for sample in samples {
            var sample = sample
            let start = max(0, ticks(sample.presentationTime))
            if let last = result.last?.presentationTime.value, last >= start {
                guard last == start else { continue }
                result.removeLast()
            }
            if let end, end < start { result.append(.endOfMetadata(at: end, timescale, format)) }
            let stop = sample.duration.map { length in
                max(start + 1, ticks(sample.presentationTime + length))
            }
            sample.format = .metadata(format)
            sample.presentationTime = MediaTime(value: start, timescale: timescale)
            sample.decodeTime = nil
            sample.duration = stop.map { MediaTime(value: $0 - start, timescale: timescale) }
            result.append(sample)
            end = stop
        }
        if let end { result.append(.endOfMetadata(at: end, timescale, format)) }
        return result
    }

    private func ticks(_ time: MediaTime) -> Int64 {
        time.ticks(per: timescale, rounding: .nearest)
    }
}

extension SampleBuffer {
    /// Says that nothing is known from here on.
    package static func endOfMetadata(
        at tick: Int64, _ timescale: Int32, _ format: MetadataFormat
    ) -> SampleBuffer {
        SampleBuffer(
            payload: .coded(BlockBuffer([])), format: .metadata(format),
            presentationTime: MediaTime(value: tick, timescale: timescale))
    }
}
