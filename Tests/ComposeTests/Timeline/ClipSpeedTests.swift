import Media
import TestSupport
import Testing
import Writing

@testable import Compose
@testable import Reading

/// Clips that play backwards, change their speed and mix their frames: their frames' grey is their number.
@Suite("How clips play")
struct ClipSpeedTests {
    private static let count = 90
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A frame is 2 codes lighter than the one before; no two of a GOP are alike.
    private func clip(_ edit: (inout NumberedClip) -> Void = { _ in }) async throws -> Asset {
        var clip = NumberedClip(width: 64, height: 48, frames: Self.count)
        clip.shade = { 20 + 2 * $0 }
        clip.video = VideoOutputSettings(codec: .ffv1)
        edit(&clip)
        return try await clip.write(to: folder.file("clip.mov"))
    }

    /// The greys of a film's frames, as multiples of a frame's step.
    private func places(_ film: Film) throws -> [Double] {
        let video = try #require(film.videoComposition)
        let pictures = try FilmPictures(film, size: video.renderSize, heldFrames: 1, threads: 1)
        let times = FilmTimes(
            range: MediaTimeRange(start: .zero, duration: film.composition.duration),
            frameDuration: video.frameDuration, sampleRate: 48_000, hasAudio: false)
        return try (0..<times.frameCount).map { number in
            let frame = try pictures.picture(at: times.time(ofFrame: number))
            let greys = frame.withPlane(0) { [Int($0.row(0)[0]), Int($0.row(47)[63])] }
            #expect(greys[0] == greys[1])
            return (Double(greys[0]) - 20) / 2
        }
    }

    private func film(_ item: VideoItem, rate: FrameRate? = nil) throws -> Film {
        var timeline = Timeline(videos: [item])
        timeline.settings.frameRate = rate
        return try TimelineBuilder.film(loading: timeline)
    }

    // MARK: Backwards

    @Test(
        "a part plays backwards frame for frame, whatever its groups",
        arguments: [1, 7, 500])
    func backwards(group: Int) async throws {
        let source = try await clip {
            $0.video = VideoOutputSettings(codec: .h264, rate: .quality(1), preset: "fast")
            $0.video.keyFrameIntervalFrames = group
        }
        var item = VideoItem(source.path, start: .milliseconds(500), end: .milliseconds(2500))
        item.isReversed = true
        let found = try places(try film(item)).map { Int($0.rounded()) }
        #expect(found == Array((15..<75).reversed()))
    }

    @Test(
        "where a group is longer than what is kept no frame is left out or repeated",
        arguments: [2, 5, 31])
    func pieces(frames: Int) async throws {
        let asset = try await clip {
            $0.video = VideoOutputSettings(codec: .h264, rate: .quality(1), preset: "fast")
            $0.video.keyFrameIntervalFrames = 80
        }
        let track = try #require(asset.tracks(of: .video).first)
        let cursor = try FrameCursor(asset: asset, track: track)
        defer { cursor.close() }
        let backward = BackwardFrames(
            cursor, of: track, room: frames * cursor.format.bytesPerFrame)
        func number(_ frame: Int) throws -> Int {
            let time = MediaTime(value: Int64(frame), timescale: 30)
            let pixels = try #require(backward.picture(at: time).pixelBuffer)
            return pixels.withPlane(0) { (Int($0.row(24)[32]) - 19) / 2 }
        }
        #expect(try (0..<90).reversed().map(number) == Array((0..<90).reversed()))
        // forwards again, and from somewhere else
        #expect(try [10, 11, 12, 70, 69, 68, 3].map(number) == [10, 11, 12, 70, 69, 68, 3])
    }

    @Test("backwards the audio is the same samples from the last to the first")
    func backwardAudio() throws {
        var film = AudioFilm()
        film.sounds["a"] = .noise(seed: 5)
        let id = film.track([("a", .seconds(1), .seconds(3))])
        let forward = try film.renderer().all()
        try film.composition.reverse(.ticks(0, 3 * 705_600_000), of: id)
        let backward = try film.renderer().all()
        let turned = stride(from: forward.count - 2, through: 0, by: -2).flatMap {
            [forward[$0], forward[$0 + 1]]
        }
        #expect(backward == turned)
        // asked for in pieces, and out of order
        let renderer = try film.renderer()
        for start in [100_000, 50_000, 139_000, 0, 71_999] {
            let piece = try renderer.floats(from: Int64(start), count: 5000)
            #expect(piece == Array(backward[start * 2..<(start + 5000) * 2]), "\(start)")
        }
    }

    @Test("audio that ends before the frames do begins as much later, backwards")
    func shortAudio() throws {
        let frames = SampleAsset.pictures(
            id: 1,
            format: VideoFormat(
                coding: .coded(.h264), width: 160, height: 96, nominalRate: FrameRate(30)),
            duration: .seconds(10))
        let asset = SampleAsset.asset(
            "a.mp4", [frames, SampleAsset.sound(id: 2, duration: .seconds(7))])
        for (speed, lead) in [
            (Speed.normal, MediaTime.seconds(3)), (Speed(2), .milliseconds(1500)),
        ] {
            var item = VideoItem("a.mp4", speed: speed)
            item.isReversed = true
            let film = try TimelineBuilder(Timeline(videos: [item]), assets: [asset]).film()
            let audio = try #require(film.composition.tracks(of: .audio).first)
            #expect(audio.segments.map(\.isEmpty) == [true, false])
            #expect(audio.segments.first?.timeRange.end == lead)
            #expect(audio.duration == film.composition.duration)
        }
        var item = VideoItem("a.mp4")
        item.isReversed = true
        item.keyframes = [key(.seconds(2), 1), key(.seconds(4), 3)]
        let film = try TimelineBuilder(Timeline(videos: [item]), assets: [asset]).film()
        let tracks = film.composition.tracks
        // three seconds of the source: two at speed 1, then (1 + 1 / 2 · t) for what is left
        let begin = try #require(tracks[1].segments.first?.timeRange.end).approximateSeconds
        #expect((begin - (2 + 2 * (3.0.squareRoot() - 1) / 2 * 1.366)).magnitude < 0.3)
        let at = try #require(tracks[1].segments.last)
        // both tracks show the same moment of the source
        for tick in stride(from: at.start + 1, to: at.end, by: 70_000_000) {
            let time = MediaTime.timeline(tick)
            let instants = try tracks.map {
                try #require(
                    $0.segment(at: time)?.sourceTime(
                        at: time, timescale: 705_600_000, rounding: .nearest))
            }
            #expect((instants[0] - instants[1]).approximateSeconds.magnitude < 1e-6)
        }
    }

    // MARK: Ramps

    private func key(
        _ time: MediaTime, _ speed: Double, _ curve: TimingCurve = .linear
    ) -> ClipKeyframe {
        var key = ClipKeyframe(time, curve: curve)
        key.speed = Speed(Int32((speed * 1000).rounded()), per: 1000)
        return key
    }

    @Test("a ramp from a speed to another one shows the frames of its integral, both ways")
    func ramp() async throws {
        let source = try await clip()
        var item = VideoItem(source.path)
        item.keyframes = [key(.milliseconds(500), 1), key(.milliseconds(1500), 3)]
        // half a second at 1, a second from 1 to 3, the rest of the 3 s at 3
        let length = 1.5 + (3 - 2.5) / 3
        let film = try film(item)
        #expect((film.composition.duration.approximateSeconds - length).magnitude < 1e-6)
        func place(_ time: Double) -> Double {
            if time < 0.5 { return time }
            let into = min(time, 1.5) - 0.5
            return 0.5 + into + into * into + max(0, time - 1.5) * 3
        }
        let found = try places(film)
        #expect(found.count == Int((length * 30).rounded(.up)))
        for (number, shown) in found.enumerated() {
            let wanted = place(Double(number) / 30) * 30
            // on a border between two frames either will do
            #expect(
                [(wanted - 0.02).rounded(.down), (wanted + 0.02).rounded(.down)].contains(shown))
        }
        item.isReversed = true
        for (number, shown) in try places(try self.film(item)).enumerated() {
            let wanted = 90 - place(Double(number) / 30) * 30
            let nearest = [wanted - 0.02, wanted + 0.02].map { ($0 - 1e-9).rounded(.up) - 1 }
            #expect(nearest.contains(shown), "frame \(number)")
        }
    }

    @Test("a curve bends the way from a speed to another one, and steps that jump are jumps")
    func curves() async throws {
        let source = try await clip()
        var item = VideoItem(source.path)
        item.keyframes = [key(.zero, 1), key(.seconds(1), 3, .easeInOut)]
        // the curve's mean is one half
        let eased = try film(item).composition.duration.approximateSeconds
        #expect((eased - (1 + 1.0 / 3)).magnitude < 1e-3)
        item.keyframes = [
            key(.seconds(1), 1), key(.seconds(1), 0.5), key(.seconds(2), 0.5), key(.seconds(2), 2),
        ]
        let film = try film(item)
        #expect(film.composition.duration == .milliseconds(2750))
        let found = try places(film)
        #expect(found[29] == 29 && found[31] == 30 && found[59] == 44 && found[61] == 47)
    }

    @Test(
        "the audio of a ramp is where its frames are, to 15 ms, and at its pitch where that is kept"
    )
    func rampedAudio() throws {
        for pitch in [PitchPolicy.kept, .followsSpeed] {
            var film = AudioFilm()
            // 30 ms of tone each half second of the source
            film.sounds["a"] = SyntheticAudio { frame, _ in
                guard frame % 24_000 < 1440 else { return 0 }
                return 0.5 * Float(Trigonometry.sine(2 * .pi * 700 * Double(frame) / 48_000))
            }
            let id = film.track([("a", .zero, .seconds(6))])
            film.mix.inputs = [AudioMixInput(trackID: id, pitch: pitch)]
            var item = VideoItem("a")
            item.keyframes = [key(.seconds(1), 1), key(.seconds(3), 2)]
            let course = try #require(item.run(over: .seconds(6))?.course)
            film.composition.playLast(of: id, SegmentPlay(course: course))
            let mixed = try film.renderer().all().channel(0)
            for burst in 1..<11 {
                let exact = Int(course.target(ofSource: Int64(burst) * 352_800_000) / 14_700)
                let onset = (exact - 2000..<exact + 2000).first { abs(mixed[$0]) > 0.05 }
                #expect(abs((onset ?? 0) - exact) <= 720, "\(pitch), burst \(burst)")
            }
            #expect(mixed.largestStep < 0.5 * 2 * .pi * 700 * 2 / 48_000 * 1.3 + 0.01)
            let renderer = try film.renderer()
            let piece = try renderer.floats(from: 90_000, count: 9000).channel(0)
            #expect(piece == Array(mixed[90_000..<99_000]))
        }
    }

    @Test("a cut in a ramp shows on both sides what the whole did", arguments: UInt64(1)...30)
    func cutRamps(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let asset = SampleAsset.clip("a.mp4", seconds: 60)
        var item = VideoItem("a.mp4", start: .seconds(3), end: .seconds(40))
        item.isReversed = Bool.random(using: &random)
        item.keyframes = (1...4).map { number in
            key(.seconds(Int64(2 * number)), Double.random(in: 0.1...4, using: &random), .easeInOut)
        }
        let film = try TimelineBuilder(Timeline(videos: [item]), assets: [asset]).film()
        let whole = film.composition
        var cut = whole
        let end = whole.duration.timelineTicks
        for _ in 0..<5 {
            // an empty span in, and out again
            let tick = Int64.random(in: 1..<end - 1, using: &random)
            try cut.insertEmpty(.ticks(tick, 1000))
            try cut.remove(.ticks(tick, 1000))
        }
        #expect(cut.tracks[0].segments.count > 1 && cut.duration == whole.duration)
        for _ in 0..<300 {
            let time = MediaTime.timeline(Int64.random(in: 0..<end, using: &random))
            let instants = try [whole, cut].map {
                try #require(
                    $0.tracks[0].segment(at: time)?.sourceTime(
                        at: time, timescale: 705_600_000, rounding: .nearest)
                ).approximateSeconds
            }
            #expect((instants[0] - instants[1]).magnitude < 1e-7)
        }
    }

    // MARK: Mixed frames

    @Test(
        "slow frames are mixed of the two beside them, fast ones of all they last over, both ways")
    func blends() async throws {
        let source = try await clip()
        var item = VideoItem(source.path, end: .seconds(1), speed: Speed(1, per: 4))
        item.blendsFrames = true
        let slow = try places(try film(item))
        #expect(slow.count == 120)
        for (number, shown) in slow.enumerated() {
            // the last frame has none behind it
            #expect((shown - min(29, Double(number) / 4)).magnitude <= 0.25, "frame \(number)")
        }
        #expect(Set(slow).count > 55)
        item = VideoItem(source.path, speed: Speed(3))
        item.blendsFrames = true
        #expect(try places(try film(item)) == (0..<30).map { Double(3 * $0 + 1) })
        item.isReversed = true
        #expect(try places(try film(item)) == (0..<30).reversed().map { Double(3 * $0 + 1) })
        item.blendsFrames = false
        #expect(try places(try film(item)) == (0..<30).reversed().map { Double(3 * $0 + 2) })
    }

    @Test(
        "at its own speed in a film of another rate frames are mixed, too; at its own they are not")
    func blendedRates() async throws {
        let source = try await clip()
        var item = VideoItem(source.path)
        item.blendsFrames = true
        let found = try places(try film(item, rate: FrameRate(50)))
        for (number, shown) in found.enumerated() {
            #expect((shown - min(89, Double(number) * 0.6)).magnitude <= 0.25, "frame \(number)")
        }
        let own = try film(item)
        #expect(try places(own) == (0..<90).map(Double.init))
        #expect(own.warnings.contains { $0.contains("no frames of it are mixed") })
    }

    // MARK: Plans and files

    @Test("nothing of a clip that plays otherwise is copied, and the plan says why")
    func plans() async throws {
        let source = try await NumberedClip(width: 96, height: 64, frames: 90).write(
            to: folder.file("a.mp4"))
        func reasons(_ edit: (inout VideoItem) -> Void) async throws -> [String] {
            var item = VideoItem(source.path)
            edit(&item)
            let film = try await Film(loading: Timeline(videos: [item]))
            var settings = ExportSettings()
            settings.copying = .whereUntouched
            let plan = try ExportSession(film, settings: settings).plan()
            #expect(plan.copiedFrames == 0, "\(plan.notes)")
            return plan.spans.compactMap(\.reason)
        }
        #expect(try await reasons { $0.isReversed = true } == ["it plays backwards"])
        #expect(
            try await reasons { $0.keyframes = [key(.seconds(1), 2)] } == ["its speed changes"])
        #expect(
            try await reasons {
                $0.blendsFrames = true
                $0.keyframes = [key(.seconds(1), 1), key(.seconds(2), 2)]
            } == ["its speed changes"])
    }

    @Test("what changes nothing of how a clip plays is reported, and costs no copy")
    func idle() async throws {
        let source = try await NumberedClip(width: 96, height: 64, frames: 90).write(
            to: folder.file("a.mp4"))
        func film(_ edit: (inout VideoItem) -> Void) async throws -> Film {
            var item = VideoItem(source.path)
            edit(&item)
            return try await Film(loading: Timeline(videos: [item]))
        }
        var settings = ExportSettings()
        settings.copying = .whereUntouched
        for (edit, words) in [
            ({ $0.blendsFrames = true }, "no frames of it are mixed"),
            ({ $0.keyframes = [key(.seconds(1), 1)] }, "the speed that it has"),
        ] as [((inout VideoItem) -> Void, String)] {
            let film = try await film(edit)
            #expect(film.warnings.contains { $0.contains(words) })
            #expect(try ExportSession(film, settings: settings).plan().copiedFrames == 90)
        }
    }

    @Test("projects and OpenTimelineIO carry them")
    func files() throws {
        let assets = [
            SampleAsset.clip("a.mp4", seconds: 20), SampleAsset.clip("b.mp4", seconds: 20),
        ]
        var first = VideoItem("a.mp4", start: .seconds(2), end: .seconds(8), speed: Speed(2))
        first.isReversed = true
        var second = VideoItem("b.mp4", start: .seconds(1), end: .seconds(12))
        second.keyframes = [key(.seconds(1), 1), key(.seconds(3), 0.5, .easeOut)]
        second.blendsFrames = true
        second.transition = .dissolve(.seconds(1))
        var third = VideoItem("a.mp4", start: .seconds(4), end: .seconds(9))
        third.isReversed = true
        third.transition = .dissolve(.milliseconds(800))
        let timeline = Timeline(videos: [first, second, third])
        let project = try ProjectFile.text(of: timeline, in: "/nowhere")
        let read = try ProjectFile.timeline(Array(project.utf8), name: "p") { path, _ in path }
        #expect(read == timeline)
        let (text, lost) = try OpenTimelineFile.text(of: timeline, assets: assets, in: "/nowhere")
        #expect(lost.count == 2, "\(lost)")
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path
        }
        #expect(back.timeline == timeline && back.notCarried.isEmpty)
    }

    @Test("what cannot play so is refused in one sentence")
    func refusals() {
        let assets = [
            SampleAsset.clip("a.mp4", seconds: 10),
            SampleAsset.still("c.jpg", width: 160, height: 96),
        ]
        func message(_ path: String, _ edit: (inout VideoItem) -> Void) -> String {
            var item = VideoItem(path)
            edit(&item)
            do throws(MediaError) {
                let timeline = Timeline(videos: [item])
                try timeline.validate()
                _ = try TimelineBuilder(timeline, assets: assets).film()
                return ""
            } catch { return error.message }
        }
        #expect(message("c.jpg") { $0.isReversed = true }.contains("nothing to play backwards"))
        #expect(message("c.jpg") { $0.keyframes = [key(.zero, 2)] }.contains("still picture"))
        #expect(
            message("a.mp4") {
                $0.freeze = .seconds(1)
                $0.isReversed = true
            }.contains("stands still"))
        #expect(
            message("a.mp4") { $0.keyframes = [key(.zero, 200)] }.contains("it can be 0.01 to 100"))
    }
}
