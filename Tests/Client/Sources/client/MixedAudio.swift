import Compose
import Media
import Reading

/// A voice over music: the music fades in, goes 12 dB down under the voice, the whole at −16 LUFS.
func mixedAudio(voice: String, music: String, _ path: String) async throws {
    let assets = [try await Asset(loading: voice), try await Asset(loading: music)]
    let length = min(assets[0].duration, assets[1].duration)
    var composition = Composition()
    let ids = assets.map { _ in composition.addTrack(.audio) }
    for (asset, id) in zip(assets, ids) {
        try composition.insert(
            MediaTimeRange(start: .zero, duration: length), of: asset,
            track: asset.tracks(of: .audio)[0], at: .zero, into: id)
    }
    let opening = MediaTimeRange(start: .zero, duration: .seconds(1))
    let fadeIn = VolumeRamp(timeRange: opening, from: 0, to: 1)
    let mix = AudioMix(
        inputs: [AudioMixInput(trackID: ids[1], volume: 0.5, volumeRamps: [fadeIn])],
        ducking: [DuckingRule(trackIDs: [ids[1]], under: [ids[0]], depth: 12)],
        loudness: LoudnessTarget(integrated: -16))
    let film = Film(composition: composition, videoComposition: nil, audioMix: mix)
    let settings = ExportSettings(preset: .audioOnly)
    let report = try await ExportSession(film, settings: settings).export(to: path)
    print(report.audioFrames, "frames of audio")
}
