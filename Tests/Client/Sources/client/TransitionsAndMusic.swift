import Compose
import Media

/// The short way: clips with transitions, music that makes way for them, as a timeline.
func timeline(_ first: String, _ second: String, music: String, _ path: String) async throws {
    var timeline = Timeline()
    timeline.videos = [
        VideoItem(first),
        VideoItem(second, transition: .wipe(.left, softness: 0.1, .milliseconds(500))),
    ]
    timeline.music = [AudioItem(music, volume: 0.6, fadeOut: .seconds(1), loops: true)]
    timeline.ducking = MusicDucking(under: .clips)
    let film = try await Film(loading: timeline)
    for note in film.notes + film.warnings { print(note) }
    let report = try await ExportSession(film).export(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
