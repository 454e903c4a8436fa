import Compose
import Media
import Reading

// The code of docs/guide/composing.md. GuideExamplesTests checks that the page quotes it word for word.
enum GuideExamples {
    static func editing(holiday: Asset, party: Asset) throws -> Composition {
        // example: editing
        var composition = Composition()
        try composition.insert(holiday, at: .zero)
        // two seconds of another movie in the middle; what lies later moves on, in every track
        let span = MediaTimeRange(start: .seconds(1), duration: .seconds(2))
        try composition.insert(party, range: span, at: .seconds(3))
        // half a second taken out, then the first second at half the speed
        try composition.remove(
            MediaTimeRange(start: .seconds(6), duration: .milliseconds(500)))
        try composition.scale(
            MediaTimeRange(start: .zero, duration: .seconds(1)), toDuration: .seconds(2))
        // end
        return composition
    }

    static func tracks(talk: Asset, composition: inout Composition) throws {
        // example: tracks
        let voice = composition.addTrack(.audio)
        if let track = talk.tracks.first(where: { $0.mediaType == .audio }) {
            try composition.insert(
                MediaTimeRange(start: .zero, duration: .seconds(3)), of: talk, track: track,
                at: .seconds(2), into: voice)
        }
        // end
    }

    static func subtitles(holiday: Asset, composition: inout Composition) throws {
        // example: subtitles
        let subtitles = composition.addTrack(.text)
        if let track = holiday.tracks.first(where: { $0.mediaType == .text }) {
            let span = MediaTimeRange(start: .seconds(1), duration: .seconds(4))
            try composition.insert(span, of: holiday, track: track, at: .zero, into: subtitles)
            let output = try AssetReaderTrackOutput(asset: holiday, track: track, settings: .text)
            let reader = AssetReader()
            try reader.add(output)
            reader.timeRange = span
            try reader.start()
            while let cue = try output.next() {
                print(cue.presentationTime, cue.duration ?? .zero, cue.text ?? "")
            }
        }
        // end
    }

    static func speeds(_ timeline: inout Timeline) {
        // example: speeds
        var jump = VideoItem("jump.mp4")
        var slow = ClipKeyframe(.seconds(2), curve: .easeInOut)
        slow.speed = Speed(1, per: 4)
        jump.keyframes = [slow]
        jump.blendsFrames = true
        // and back again
        var back = VideoItem("jump.mp4", speed: Speed(2))
        back.isReversed = true
        timeline.videos = [jump, back]
        // end
    }

    static func generators(_ timeline: inout Timeline) {
        // example: generators
        timeline.videos.insert(VideoItem(.bars(.smpte), duration: .seconds(10)), at: 0)
        timeline.videos.insert(VideoItem(.counter(.init(.down, from: .seconds(5)))), at: 1)
        timeline.videos.append(
            VideoItem(.gradient(.init([.black, .white], angle: 0)), duration: .seconds(3)))
        // end
    }

    static func overlays(_ timeline: inout Timeline) {
        // example: overlays
        var camera = VideoItem("camera.mp4", start: .seconds(2))
        camera.at = .seconds(5)
        camera.place = ClipPlace(.topRight, width: 0.25)
        camera.look = ClipLook(cornerRadius: 0.1, border: .init(), shadow: .init())
        camera.fadeIn = .seconds(1)
        timeline.overlays = [OverlayTrack([camera])]
        // end
    }

    static func keyframes(_ timeline: inout Timeline) {
        // example: keyframes
        var smaller = ClipKeyframe(.seconds(3), curve: .easeInOut)
        smaller.place = ClipPlace(.topRight, width: 0.15)
        smaller.volume = 0.3
        var gone = ClipKeyframe(.seconds(8))
        gone.opacity = 0
        timeline.overlays[0].videos[0].keyframes = [smaller, gone]
        timeline.settings.stillMotion = .automatic
        timeline.videos[0].motion = .views(
            PictureMotion(from: .init(), to: .init(zoom: 1.4, x: 0.7)))
        var spin = TitleKeyframe(.seconds(2), curve: .easeOut)
        spin.rotation = 360
        timeline.titles[0].keyframes = [spin]
        // end
    }

    static func grades(_ timeline: inout Timeline) {
        // example: grades
        timeline.videos[0].grade.exposure = 0.5
        timeline.videos[0].grade.table = "looks/warm.cube"

        struct Sepia: ColorEffect {
            func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
                let weights = space.lumaWeights
                return { SIMD3(1, 0.85, 0.65) * ($0 * weights).sum() }
            }
        }
        timeline.videos[1].grade.effects = [Sepia()]
        // end
    }

    static func areas(_ timeline: inout Timeline) {
        // example: areas
        timeline.videos[0].mask = ClipMask(
            FrameArea(.ellipse, width: 0.6, height: 0.9, softness: 0.3))
        var plate = ClipEffect(
            AreaMosaic(size: 0.08),
            in: FrameArea(.rectangle, x: 0.2, y: 0.8, width: 0.15, height: 0.1))
        plate.keyframes = [AreaKeyframe(.seconds(3), x: 0.7, y: 0.75, curve: .easeInOut)]

        struct Flat: AreaEffect {
            var reach: Double { 0 }
            func apply(to samples: AreaSamples) {
                let mean = samples.values.reduce(0, +) / Float(max(1, samples.values.count))
                samples.values.update(repeating: mean)
            }
        }
        timeline.videos[1].effects = [
            plate, ClipEffect(Flat(), at: .seconds(1), duration: .seconds(2)),
        ]
        // end
    }

    static func layout(_ take: Asset, _ timeline: inout Timeline) throws {
        // example: layout
        let layout = AngleLayout.pictureInPicture(ClipPlace(.bottomLeft, width: 0.2))
        let both = try layout.arrangement(
            of: [VideoItem(take.path)], cameras: [[1, 2]], assets: [take])
        timeline.videos = both.videos
        timeline.overlays = both.overlays
        // end
    }

    static func treatment(_ timeline: inout Timeline) {
        // example: treatment
        timeline.videos[0].treatment = AudioTreatment(
            lowCut: 80, gate: NoiseGate(threshold: -45, range: 20), limiter: -3)
        timeline.videos[0].pan = -0.5
        timeline.videos[0].loudness = -20
        timeline.voiceOvers[0].treatment.lowCut = 100
        // end
    }

    static func automatic(composition: Composition, assets: [Asset]) throws -> VideoComposition {
        // example: automatic
        let video = try VideoComposition(
            propertiesOf: composition, assets: assets, fit: .blurred)
        try video.validate(for: composition)
        // end
        return video
    }

    static func ramps(track: Int) -> Instruction {
        // example: ramps
        let firstSecond = MediaTimeRange(start: .zero, duration: .seconds(1))
        var layer = LayerInstruction(trackID: track)
        layer.opacities = [OpacityRamp(timeRange: firstSecond, from: 0, to: 1)]
        layer.transforms = [
            TransformRamp(
                timeRange: firstSecond, from: .translation(x: -640, y: 0), to: .identity)
        ]
        layer.crops = [
            CropRectangleRamp(
                CropRectangle(Rectangle(x: 40, y: 0, width: 1200, height: 720), softness: 8))
        ]
        let instruction = Instruction(
            timeRange: MediaTimeRange(start: .zero, duration: .seconds(5)), background: .black,
            layers: [layer])
        // end
        return instruction
    }

    static func mix(music: Int, voice: Int) throws -> AudioMix {
        // example: mix
        let fadeOut = VolumeRamp(
            timeRange: MediaTimeRange(start: .seconds(20), duration: .seconds(3)), from: 1, to: 0)
        let mix = AudioMix(
            inputs: [
                AudioMixInput(trackID: music, volume: 0.5, volumeRamps: [fadeOut]),
                AudioMixInput(
                    trackID: voice, pan: -0.2,
                    treatment: AudioTreatment(gate: NoiseGate(threshold: -50))),
            ],
            ducking: [DuckingRule(trackIDs: [music], under: [voice], depth: 12)])
        try mix.validate()
        // end
        return mix
    }

    static func timeline() -> Timeline {
        // example: timeline
        var timeline = Timeline()
        timeline.videos = [
            VideoItem("beach.mp4", start: .seconds(2), end: .seconds(9)),
            VideoItem("party.mov", speed: Speed(3, per: 2), transition: .dissolve(.seconds(1))),
            VideoItem(
                "dog.gif", fit: .blurred, transition: .wipe(.left, softness: 0.1, .seconds(1))),
        ]
        timeline.titles = [TitleItem("Summer", style: .classic, duration: .seconds(3))]
        timeline.voiceOvers = [AudioItem("talk.wav", at: .seconds(3))]
        timeline.music = [AudioItem("song.m4a", volume: 0.6, fadeOut: .seconds(2), loops: true)]
        timeline.ducking = MusicDucking()
        timeline.watermark = Watermark(.text("© me"), corner: .topRight)
        timeline.chapters = [Chapter("Beach", at: .zero), Chapter("Party", at: .seconds(6))]
        // end
        return timeline
    }

    static func transitions(_ timeline: inout Timeline) {
        // example: transitions
        /// The new clip slides over the old one, which stays.
        struct Slide: TransitionEffect {
            func instruction(
                from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
            ) -> Instruction {
                let width = Double(span.frame.width)
                let front = new.moving(over: span) { .translation(x: width * (1 - $0), y: 0) }
                return span.instruction([front, old.layer])
            }
        }
        timeline.videos[1].transition = .luma("clouds.png", softness: 0.2, .seconds(1))
        timeline.videos[2].transition = .custom(Slide(), .seconds(1))
        timeline.videos[2].transition.curve = .easeInOut
        // end
    }

    static func film(_ timeline: Timeline, assets: [Asset]) throws -> Film {
        // example: film
        let film = try TimelineBuilder(timeline, assets: assets).film()
        for note in film.notes { print(note) }
        // end
        return film
    }

    static func project(_ timeline: Timeline, in folder: String) throws -> (Timeline, String) {
        // example: project
        let text = try ProjectFile.text(of: timeline, in: folder)
        let again = try ProjectFile.read(folder + "/film.vcap.json5")
        // end
        return (again, text)
    }

    static func otio(_ timeline: Timeline, assets: [Asset], in folder: String) throws -> String {
        // example: otio
        let (text, notCarried) = try OpenTimelineFile.text(
            of: timeline, assets: assets, in: folder)
        for loss in notCarried { print(loss) }
        // end
        return text
    }

    static func reading(_ film: Film) throws -> (frames: Int, samples: Int) {
        // example: reading
        let video = try VideoCompositionOutput(film: film)
        let audio = AudioMixOutput(film: film)
        let reader = AssetReader()
        reader.timeRange = MediaTimeRange(start: .seconds(1), duration: .seconds(2))
        try reader.add(video)
        try reader.add(audio)
        try reader.start()
        var frames = 0
        while let sample = try video.next() {
            frames += sample.pixelBuffer == nil ? 0 : 1
        }
        var samples = 0
        while let sample = try audio.next() {
            samples += (sample.block?.count ?? 0) / audio.format.bytesPerFrame
        }
        // end
        return (frames, samples)
    }
}
