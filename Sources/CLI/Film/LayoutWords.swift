import Compose
import Media
import Reading

/// The options that say which cameras and microphones of the clips a film has, and how they share the frame.
struct LayoutWords {
    let arguments: Arguments

    /// Puts clips behind a timeline's own, laid out.
    /// - Parameter opening: how long those are; nil: it is found out.
    func put(
        _ clips: [VideoItem], into timeline: inout Timeline, behind opening: MediaTime? = nil
    ) async throws {
        let voices = try arguments(ComposeOptions.audioTracks)?.map { ClipVoice(track: $0) }
        let clips = clips.map { clip in
            var clip = clip
            clip.voices = voices
            return clip
        }
        let tracks = try arguments(ComposeOptions.videoTracks)
        guard let layout = try arguments(ComposeOptions.layout) else {
            if let tracks {
                guard tracks.count == 1 else {
                    throw CommandFailure(
                        .usage,
                        "--video-tracks names \(tracks.count) tracks: say with --layout how they share the "
                            + "frame, or name one")
                }
            }
            timeline.videos += clips.map { clip in
                var clip = clip
                clip.track = tracks?.first
                return clip
            }
            return
        }
        try check()
        let angles = try await Angles.find(clips, wanted: tracks)
        switch layout {
        case .angles(let layout):
            var before = opening ?? .zero
            if opening == nil { before = try await TakeComposition.length(of: timeline) }
            let arrangement = try layout.arrangement(
                of: clips, cameras: angles.map(\.cameras), behind: before)
            timeline.videos += arrangement.videos
            // what was asked for by itself lies over the cameras
            timeline.overlays = arrangement.overlays + timeline.overlays
        case .speaker(let rule):
            Console.shared.notice("listening to who speaks")
            timeline.videos += try await NamedThread.run("vcap-work") {
                var shots: [VideoItem] = []
                for (clip, angles) in zip(clips, angles) {
                    // who is listened to is heard
                    var clip = clip
                    let voices =
                        clip.voices ?? angles.microphones.map { ClipVoice(track: $0) }
                    clip.voices = voices
                    shots += try rule.shots(
                        of: clip, in: angles.asset, cameras: angles.cameras,
                        microphones: voices.map(\.track))
                }
                return shots
            }
        }
    }

    /// What is known without the clips.
    /// - Parameters:
    ///   - cameras: of a take that is to be recorded (count); nil: of clips that are there.
    ///   - microphones: of the same.
    func check(cameras: Int? = nil, microphones: Int? = nil) throws(CommandFailure) {
        guard let layout = try arguments(ComposeOptions.layout) else { return }
        if let transition = try arguments(ComposeOptions.transition),
            ![.cut, .dissolve].contains(transition.kind), !layout.isOneAtATime
        {
            throw CommandFailure(
                .usage,
                "--transition of clips that share the frame is a dissolve or a cut: take one of them, or "
                    + "leave --layout out")
        }
        if let cameras, cameras < 2 {
            throw CommandFailure(
                .usage,
                "--layout is for a take of two cameras or more, and this one has "
                    + (cameras == 0 ? "none" : "one") + ": add one with -c, or leave it out")
        }
        if layout.isOneAtATime, let cameras, let microphones, !(2...cameras).contains(microphones) {
            throw CommandFailure(
                .usage,
                "--layout speaker needs a microphone for each camera, from two on, and the take has "
                    + "\(microphones) for \(cameras): add them with -a, in the cameras' order")
        }
    }
}

/// The cameras and microphones of a clip.
private struct Angles: Sendable {
    let asset: Asset
    let cameras: [Int]
    let microphones: [Int]

    /// - Parameter wanted: video tracks; nil: all that are cameras'.
    static func find(_ clips: [VideoItem], wanted: [Int]?) async throws -> [Angles] {
        let paths = clips.map(\.path)
        return try await NamedThread.run("vcap-work") {
            var known: [String: Asset] = [:]
            return try paths.map { path in
                let asset = try known[path] ?? Asset.load(path)
                known[path] = asset
                let cameras = asset.tracks.filter {
                    $0.mediaType == .video && $0.format?.video.map { $0.depth == nil } ?? false
                }.map(\.id)
                guard wanted != nil || cameras.count > 1 else {
                    throw CommandFailure(
                        .usage,
                        "--layout is for takes of several cameras, and \(path) has "
                            + (cameras.isEmpty ? "no video track" : "one video track")
                            + ": put another file over it with --overlay, or leave it out")
                }
                return Angles(
                    asset: asset, cameras: wanted ?? cameras,
                    microphones: asset.tracks.filter {
                        $0.mediaType == .audio && $0.format != nil
                    }.map(\.id))
            }
        }
    }
}
