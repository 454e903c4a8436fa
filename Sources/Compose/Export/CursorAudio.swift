internal import Media
internal import Reading
internal import Writing

/// The audio of one source for the mixer. Thread-bound.
final class CursorAudio: AudioSource {
    let channels: Int
    private let cursor: AudioCursor
    private let path: String
    private let shelf: SourceShelf
    /// Of the cursor's damaged samples, those the shelf knows of (count).
    private var noted = 0

    init(
        _ source: MediaSource, sampleRate: Int, shelf: SourceShelf
    ) throws(MediaError) {
        let (asset, track) = try shelf.track(source)
        path = source.path
        self.shelf = shelf
        channels = min(64, max(1, track.format?.audio?.channels ?? 2))
        cursor = try AudioCursor(
            asset: asset, track: track,
            format: AudioFormat(
                coding: .raw(.float32), sampleRate: sampleRate, channels: channels))
    }

    deinit { cursor.close() }

    func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        defer {
            shelf.note(SourceDamage(sound: cursor.damagedSamples - noted), in: path)
            noted = cursor.damagedSamples
        }
        return try cursor.read(at: frame, count: count)
    }
}

/// Audio that is generated, for the mixer. Thread-bound.
private final class GeneratedAudio: AudioSource {
    let channels = 2
    private let media: any GeneratedMedia
    private let sampleRate: Int

    init(_ media: any GeneratedMedia, sampleRate: Int) {
        (self.media, self.sampleRate) = (media, sampleRate)
    }

    func read(at frame: Int64, count: Int) -> BlockBuffer {
        media.audio(at: frame, count: count, sampleRate: sampleRate)
    }
}

extension SourceShelf {
    /// The audio of a source for the mixer.
    /// - Parameter sampleRate: in which it is delivered (Hz).
    func audio(
        of source: MediaSource, sampleRate: Int
    ) throws(MediaError) -> any AudioSource {
        if let media = try track(source).0.generated {
            return GeneratedAudio(media, sampleRate: sampleRate)
        }
        return try CursorAudio(source, sampleRate: sampleRate, shelf: self)
    }
}

extension Film {
    /// The mixer of the film's audio: two channels.
    func sound(
        sampleRate: Int, codedAs coding: AudioOutputSettings? = nil, shelf: SourceShelf
    ) throws(MediaError) -> MixRenderer {
        try MixRenderer(
            composition: composition, mix: audioMix, sampleRate: sampleRate, channels: 2,
            codedAs: coding
        ) { source, rate throws(MediaError) in
            try shelf.audio(of: source, sampleRate: rate)
        }
    }
}
