import Media

@testable import Movie
@testable import Reading

/// Assets as values, without files.
enum SampleAsset {
    static func asset(
        _ path: String, _ tracks: [AssetTrack], metadata: MovieMetadata = MovieMetadata()
    ) -> Asset {
        Asset(
            path: path, container: "mp4", state: .ordinary,
            duration: tracks.map(\.duration).max() ?? .zero, tracks: tracks, pauses: [],
            markers: [],
            metadata: metadata, damagedBytes: 0)
    }

    /// A clip with frames, and audio unless set otherwise.
    static func clip(
        _ path: String = "a.mp4", seconds: Int64 = 10, width: Int = 160, height: Int = 96,
        rate: FrameRate = FrameRate(30), timescale: Int32 = 90_000, sound: Bool = true,
        sampleRate: Int = 48_000, channels: Int = 2, edit: (inout VideoFormat) -> Void = { _ in }
    ) -> Asset {
        let length = MediaTime(value: seconds * Int64(timescale), timescale: timescale)
        var format = VideoFormat(
            coding: .coded(.h264), width: width, height: height, color: .bt709, nominalRate: rate)
        edit(&format)
        var tracks = [pictures(id: 1, format: format, duration: length)]
        if sound {
            tracks.append(
                self.sound(
                    id: 2, rate: sampleRate, channels: channels, duration: .seconds(seconds)))
        }
        return asset(path, tracks)
    }

    /// A picture file.
    static func still(_ path: String, width: Int, height: Int) -> Asset {
        let format = VideoFormat(
            coding: .coded(.mjpeg), width: width, height: height, color: .bt709)
        var track = pictures(id: 1, format: format, duration: .seconds(1))
        track.isStill = true
        return asset(path, [track])
    }

    static func onlyAudio(_ path: String, seconds: Int64) -> Asset {
        asset(path, [sound(id: 1, duration: .seconds(seconds))])
    }

    static func pictures(
        id: Int, format: VideoFormat, duration: MediaTime
    ) -> AssetTrack {
        AssetTrack(
            id: id, mediaType: .video, format: .video(format), codecTag: "avc1",
            timescale: duration.timescale, duration: duration, sampleCount: 100,
            syncSampleCount: 10, bytes: 1000, edits: [],
            averageRate: format.nominalRate?.approximate, frameDurations: nil, language: nil,
            name: nil, isEnabled: true)
    }

    static func sound(
        id: Int, rate: Int = 48_000, channels: Int = 2, duration: MediaTime
    ) -> AssetTrack {
        AssetTrack(
            id: id, mediaType: .audio,
            format: .audio(
                AudioFormat(coding: .coded(.aac), sampleRate: rate, channels: channels)),
            codecTag: "mp4a", timescale: Int32(rate),
            duration: duration.scaled(to: Int32(rate), rounding: .nearest), sampleCount: 100,
            syncSampleCount: 100, bytes: 1000, edits: [], averageRate: nil, frameDurations: nil,
            language: nil, name: nil, isEnabled: true)
    }
}

extension SampleAsset {
    /// The same asset with a text track more.
    static func subtitled(
        _ asset: Asset, language: String? = "eng", duration: MediaTime
    ) -> Asset {
        let track = AssetTrack(
            id: asset.tracks.count + 1, mediaType: .text,
            format: .text(TextFormat(coding: .coded(.movText))), codecTag: "tx3g",
            timescale: 1000, duration: duration, sampleCount: 10, syncSampleCount: 10, bytes: 100,
            edits: [], averageRate: nil, frameDurations: nil, language: language, name: nil,
            isEnabled: true)
        return self.asset(asset.path, asset.tracks + [track])
    }
}

extension MediaTimeRange {
    static func seconds(_ start: Int64, _ duration: Int64) -> MediaTimeRange {
        MediaTimeRange(start: .seconds(start), duration: .seconds(duration))
    }

    static func milliseconds(_ start: Int64, _ duration: Int64) -> MediaTimeRange {
        MediaTimeRange(start: .milliseconds(start), duration: .milliseconds(duration))
    }
}
