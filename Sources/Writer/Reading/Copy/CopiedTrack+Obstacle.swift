internal import Media
package import Movie

extension CopiedTrack {
    /// What keeps the track from being copied into a container, a sentence without its full stop; nil: nothing. Opens the first
    /// source; blocks.
    package func obstacle(in container: OutputContainer) -> String? {
        do throws(MediaError) {
            let samples = try SpanSamples(
                self, movieScale: 705_600_000, isEdited: container.hasEditLists)
            try container.requireRoom(forCopyOf: samples.format)
            return nil
        } catch {
            return error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        }
    }
}
