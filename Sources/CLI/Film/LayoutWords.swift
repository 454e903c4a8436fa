import Compose
internal import Glibc
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
        let tracks = try arguments(ComposeOptions.videoTracks)
        if let first = clips.first?.generator, clips.allSatisfy({ $0.generator != nil }) {
            let idle = [
                (ComposeOptions.audioTracks.spec.name, !(voices ?? []).isEmpty),
                (ComposeOptions.videoTracks.spec.name, tracks != nil),
                (ComposeOptions.follow.spec.name, arguments.isTyped(ComposeOptions.follow.spec)),
            ]
            if let name = idle.first(where: \.1)?.0 {
                throw CommandFailure(
                    .usage,
                    "\(name) is for files, and \(first.projectText) is generated: leave it out")
            }
        }
        let clips = clips.map { clip in
            var clip = clip
            // of what is generated all is heard or nothing
            if clip.generator == nil || voices == [] { clip.voices = voices }
            return clip
        }
        if tracks?.count == 1, arguments.isTyped(ComposeOptions.layout.spec) {
            throw CommandFailure(
                .usage,
                "--layout is for two cameras or more, and --video-tracks names one: add one, or leave "
                    + "--layout out")
        }
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
                if clip.generator == nil { clip.track = tracks?.first }
                return clip
            }
            return
        }
        try check()
        if let generator = clips.lazy.compactMap(\.generator).first {
            throw CommandFailure(
                .usage,
                "--layout is for takes of several cameras, and \(generator.projectText) is generated: put it "
                    + "over the film with --overlay, or leave --layout out")
        }
        let angles = try await Angles.find(clips, wanted: tracks)
        switch layout {
        case .angles(let layout):
            var before = opening ?? .zero
            if opening == nil { before = try await TakeComposition.length(of: timeline) }
            let arrangement = try layout.arrangement(
                of: clips, cameras: angles.map(\.cameras), assets: angles.map(\.asset),
                behind: before, stillDuration: timeline.settings.stillDuration)
            timeline.videos += arrangement.videos
            // what was asked for by itself lies over the cameras
            timeline.overlays = arrangement.overlays + timeline.overlays
        case .speaker(let rule):
            timeline.videos += try await Self.shots(of: clips, angles, rule)
        }
    }

    private static func shots(
        of clips: [VideoItem], _ angles: [Angles], _ rule: SpeakerSwitch
    ) async throws -> [VideoItem] {
        Console.shared.notice("listening to who speaks")
        let clock = ContinuousClock()
        return try await NamedThread.run("vcap-work") {
            var shots: [VideoItem] = []
            var said = clock.now
            for (clip, angles) in zip(clips, angles) {
                guard angles.cameras.count > 1 else {
                    shots.append(clip)
                    continue
                }
                // who is listened to is heard
                var clip = clip
                let voices = clip.voices ?? angles.microphones.map { ClipVoice(track: $0) }
                clip.voices = voices
                shots += try rule.shots(
                    of: clip, in: angles.asset, cameras: angles.cameras,
                    microphones: voices.map(\.track)
                ) { part in
                    guard clock.now - said >= .seconds(3) else { return }
                    said = clock.now
                    Console.shared.notice("listening to who speaks: \(Int(part * 100)) %")
                }
            }
            return shots
        }
    }

    /// What is known without the clips.
    /// - Parameters:
    ///   - cameras: of a take that is to be recorded (count); nil: of clips that are there.
    ///   - microphones: of the same.
    func check(cameras: Int? = nil, microphones: Int? = nil) throws(CommandFailure) {
        if let cameras, let number = try arguments(ComposeOptions.videoTracks)?.max(),
            number > cameras + 1
        {
            throw CommandFailure(
                .usage,
                "--video-tracks names track \(number), and the take's cameras are 1 to \(cameras)")
        }
        if let cameras, let number = try arguments(ComposeOptions.audioTracks)?.min(),
            number <= cameras
        {
            throw CommandFailure(
                .usage,
                "--audio-tracks names track \(number), which is a camera of the take: its microphones come "
                    + "behind its \(cameras) cameras")
        }
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
        if layout.isOneAtATime, try arguments(TreatmentOptions.loudness) != nil {
            throw CommandFailure(
                .usage,
                "--clip-loudness levels each clip by itself, and --layout speaker makes one of each shot, so that it "
                    + "would change with the camera: give --loudness, which levels the whole film")
        }
        if layout.isOneAtATime,
            let own = try arguments.all(ComposeOptions.subtitles).first(where: {
                $0.keys.contains { $0.name == "clip" } && access($0.text, F_OK) != 0
            })
        {
            throw CommandFailure(
                .usage,
                "--subtitles \(own.file): clip= is of one clip, and --layout speaker makes one of each shot: leave it "
                    + "out, and say with delay= when it begins in the film")
        }
        if !layout.isOneAtATime,
            let fit = try arguments(ComposeOptions.fit), fit == "blur"
        {
            throw CommandFailure(
                .usage,
                "--fit blur fills the whole frame, which the cameras of --layout share: take contain, cover "
                    + "or stretch")
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
        let paths = clips.map(\.mediaPath)
        return try await NamedThread.run("vcap-work") {
            var known: [String: Angles] = [:]
            for path in paths where known[path] == nil {
                known[path] = Angles(try Asset.load(path), wanted)
            }
            guard known.values.contains(where: { $0.cameras.count > 1 }) else {
                let count = known[paths[0]]?.cameras.count ?? 0
                throw CommandFailure(
                    .usage,
                    "--layout is for takes of several cameras, and \(paths[0]) has "
                        + (count == 0 ? "no video track" : "one video track")
                        + ": put another file over it with --overlay, or leave it out")
            }
            for angles in known.values { angles.warnAboutGaps() }
            return paths.compactMap { known[$0] }
        }
    }

    /// Cameras that begin late or end early.
    private func warnAboutGaps() {
        let tracks = asset.tracks.filter { cameras.contains($0.id) && $0.mediaType == .video }
        guard tracks.count > 1, let end = tracks.map(\.reach).max() else { return }
        let least = MediaTime.milliseconds(250)
        for track in tracks {
            if end - track.reach > least {
                Console.shared.warning(
                    "track \(track.id) of \(asset.path) ends at \(Amounts.clock(track.reach, fractionDigits: 3)), "
                        + "earlier than the others: it is not shown from there")
            }
            if track.start > least {
                Console.shared.warning(
                    "track \(track.id) of \(asset.path) begins at "
                        + "\(Amounts.clock(track.start, fractionDigits: 3)): its first frame is shown until then"
                )
            }
        }
    }

    private init(_ asset: Asset, _ wanted: [Int]?) {
        self.asset = asset
        let all = asset.tracks.filter {
            $0.mediaType == .video && $0.format?.video.map { $0.depth == nil } ?? false
        }
        // one that was unplugged all the time has nothing to show
        let shown = all.filter { $0.sampleCount > 0 }
        let ids = wanted.map { Set($0) } ?? Set(all.map(\.id))
        for track in all where track.sampleCount == 0 && ids.contains(track.id) {
            Console.shared.warning(
                "track \(track.id) of \(asset.path) has no frame and is left out")
        }
        cameras =
            shown.count < 2
            ? shown.map(\.id)
            : wanted.map {
                $0.filter { id in !all.contains { $0.id == id && $0.sampleCount == 0 } }
            }
                ?? shown.map(\.id)
        microphones = asset.tracks.filter {
            $0.mediaType == .audio && $0.format != nil && $0.sampleCount > 0
        }.map(\.id)
    }
}
