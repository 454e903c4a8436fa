internal import LibAV
public import Media
internal import Movie

extension LivePhotoMovie {
    /// The movie of Apple's pair: QuickTime, with the name it shares with its photo and a track that marks the photo's
    /// moment. Blocks.
    /// - Parameters:
    ///   - contentIdentifier: the photo's too (a UUID).
    ///   - software: the program, for the movie's metadata (nil = none).
    /// - Throws: `encoderFailed`, `outOfMemory`.
    public func fileData(
        contentIdentifier: String, software: String? = nil
    ) throws(MediaError) -> [UInt8] {
        var metadata = metadata(software)
        metadata.values[MetadataKey.contentIdentifier] = contentIdentifier
        return try fileData(.mov, metadata)
    }

    /// Google's motion photo: the photo with a description of what follows, and the movie (MP4) behind it. Blocks.
    /// - Parameters:
    ///   - photo: a JPEG file, kept bit for bit behind what is inserted; without depth behind it.
    ///   - depth: distances of its points, turned as its stored picture is; they lie between photo and movie (default:
    ///     none).
    ///   - software: the program, for the movie's metadata (nil = none).
    /// - Throws: `damagedFile` when the photo is no JPEG; `encoderFailed`, `outOfMemory`.
    public func motionPhoto(
        of photo: [UInt8], depth: DepthData? = nil, software: String? = nil
    ) throws(MediaError) -> [UInt8] {
        guard let file = JPEGFile(photo) else {
            throw MediaError(
                code: .damagedFile, subject: "live photo",
                message: "A motion photo's photo is a JPEG, and this is none.")
        }
        let movie = try fileData(.mp4, metadata(software))
        // up, so that the frame shown then is the photo's and not the one before
        let time = stillTime.ticks(per: 1_000_000, rounding: .up)
        var container = PhotoContainer(
            file, movie: PhotoContainer.Movie(bytes: movie, stillMicroseconds: time))
        if let depth { container.depth = try PhotoContainer.Depth(depth, effort: .usual) }
        return container.bytes
    }

    private func metadata(_ software: String?) -> MovieMetadata {
        // of the photo, as its other half has it
        let ago = HostClock().now() - (start + stillTime)
        return MovieMetadata(
            creationTime: WallClock.nanosecondsSinceEpoch() - ago.nanoseconds(),
            software: software)
    }

    /// A sample and its track, in the order of the file.
    private struct Placed {
        let track: Int
        let sample: SampleBuffer
    }

    private func fileData(
        _ container: MovieContainer, _ metadata: MovieMetadata
    ) throws(MediaError) -> [UInt8] {
        let io = MemoryFileIO()
        let file = DurableFile(
            io: io, name: "a live photo's movie", policy: .never,
            gapHeader: MovieFileWriter.gapHeader)
        let writer = MovieFileWriter(file: file, container: container)
        do throws(MediaError) {
            let placed = try tracks(of: writer, container)
            try writer.begin(metadata)
            for next in placed { try writer.append(next.sample, track: next.track) }
            _ = try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
        return io.bytes
    }

    /// Adds the tracks.
    /// - Returns: their samples by time.
    private func tracks(
        of writer: MovieFileWriter, _ container: MovieContainer
    ) throws(MediaError) -> [Placed] {
        var track = try writer.addTrack(
            ContainerTrack(format: .video(video), timescale: Self.timescale))
        var placed = placedFrames.map { Placed(track: track, sample: $0) }
        if let audio {
            let coded = try LivePhotoAudio(blocks, audio, start: start, duration: duration)
            track = try writer.addTrack(
                ContainerTrack(
                    format: .audio(coded.format), timescale: Int32(coded.format.sampleRate)))
            placed += coded.samples.map { Placed(track: track, sample: $0) }
        }
        if container == .mov {
            var mark = ContainerTrack(
                format: .metadata(.stillImageTime), timescale: Self.timescale)
            mark.isCameras = true
            track = try writer.addTrack(mark)
            placed.append(Placed(track: track, sample: stillMark))
        }
        return placed.enumerated().sorted { one, other in
            let (first, second) = (
                one.element.sample.presentationTime, other.element.sample.presentationTime
            )
            return first == second ? one.offset < other.offset : first < second
        }.map(\.element)
    }

    /// The one sample that begins when the photo was taken.
    private var stillMark: SampleBuffer {
        var bytes: [UInt8] = []
        MetadataPacking.append([0xFF], key: 0, to: &bytes)
        let frame = video.nominalRate?.frameDuration ?? .milliseconds(33)
        return SampleBuffer(
            payload: .coded(BlockBuffer(bytes)), format: .metadata(.stillImageTime),
            presentationTime: MediaTime(
                value: stillTime.ticks(per: Self.timescale, rounding: .nearest),
                timescale: Self.timescale),
            duration: min(frame, max(.milliseconds(1), duration - stillTime))
                .scaled(to: Self.timescale, rounding: .nearest))
    }
}
