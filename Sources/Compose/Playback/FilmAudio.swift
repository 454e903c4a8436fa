package import Media
internal import Reading

/// The audio of a film as its export would encode it: two channels of interleaved float32. Thread-bound; blocks on
/// the sources.
package final class FilmAudio {
    private let mixer: MixRenderer
    private let shelf: SourceShelf

    /// - Parameter sampleRate: Hz; 8,000…192,000.
    package init(_ film: Film, sampleRate: Int) throws(MediaError) {
        shelf = SourceShelf(film.assets)
        mixer = try film.sound(sampleRate: sampleRate, shelf: shelf)
    }

    /// Listens to speech and measures the loudness, where the mix asks for it.
    /// - Parameter isCancelled: asked at least once a second of audio; true ends the work with `cancelled`.
    package func prepare(isCancelled: () -> Bool) throws(MediaError) {
        try mixer.prepare(isCancelled: isCancelled)
        shelf.forgetAudioDamage()
    }

    /// `count` frames from the film's audio frame `frame` on; silence outside the film.
    package func read(from frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        try mixer.read(from: frame, count: count)
    }

    /// Coded pieces of audio that could not be decoded so far (count).
    package var damagedPieces: Int { shelf.damage.values.reduce(0) { $0 + $1.sound } }

    /// What could not be decoded, one sentence for each file.
    package var damage: [String] {
        shelf.damage.sorted { $0.key < $1.key }.compactMap { $0.value.sentence(of: $0.key) }
    }
}
