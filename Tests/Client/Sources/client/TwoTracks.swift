import Compose
import Media
import Reading

/// Two clips in two tracks that overlap for a second: frames dissolve, audio crosses over.
func twoTracks(_ first: String, _ second: String, _ path: String) async throws {
    let clips = [try await Asset(loading: first), try await Asset(loading: second)]
    let overlap = MediaTimeRange(start: clips[0].duration - .seconds(1), duration: .seconds(1))
    var composition = Composition()
    var mix = AudioMix()
    for (index, clip) in clips.enumerated() {
        for source in clip.tracks where source.mediaType != .text {
            let range = MediaTimeRange(start: .zero, duration: source.duration)
            let id = composition.addTrack(source.mediaType)
            try composition.insert(
                range, of: clip, track: source, at: index == 0 ? .zero : overlap.start, into: id)
            guard source.mediaType == .audio else { continue }
            let ramp = VolumeRamp(
                timeRange: overlap, from: index == 0 ? 1 : 0, to: index == 0 ? 0 : 1,
                shape: .equalPower)
            mix.inputs.append(AudioMixInput(trackID: id, volumeRamps: [ramp]))
        }
    }
    // an instruction for each span between the clips' ends; the second one has both, the first in front
    var video = try VideoComposition(propertiesOf: composition, assets: clips)
    video.instructions[1].layers[0].opacities = [OpacityRamp(timeRange: overlap, from: 1, to: 0)]
    let film = Film(composition: composition, videoComposition: video, audioMix: mix)
    let report = try await ExportSession(film).export(to: path)
    print(report.frames, "frames,", report.duration.approximateSeconds, "seconds")
}
