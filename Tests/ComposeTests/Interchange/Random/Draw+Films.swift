import Media
import Reading

@testable import Compose
@testable import Movie
@testable import Reading

/// Whole timelines: everything that a project has a key for.
extension Draw {
    static let assets: [Asset] =
        [
            SampleAsset.clip("a.mp4", seconds: 60),
            SampleAsset.clip("clips/b c.mov", seconds: 60, rate: FrameRate(25)),
            SampleAsset.clip("clips/100%.mkv", seconds: 60, timescale: 1000),
            takeAsset, SampleAsset.clip(gif, seconds: 3, sound: false),
            SampleAsset.still(still, width: 160, height: 96),
            SampleAsset.onlyAudio(talk, seconds: 60),
            SampleAsset.onlyAudio("song.m4a", seconds: 6),
        ]

    private static var takeAsset: Asset {
        let one = SampleAsset.clip(take, seconds: 60, sound: false).tracks[0]
        let format = one.format?.video ?? VideoFormat(coding: .raw(.yuv420p), width: 2, height: 2)
        return SampleAsset.asset(
            take,
            [
                one, SampleAsset.pictures(id: 2, format: format, duration: .seconds(60)),
                SampleAsset.sound(id: 3, duration: .seconds(60)),
                SampleAsset.sound(id: 4, duration: .seconds(60)),
            ])
    }

    mutating func timeline() -> Timeline {
        var timeline = Timeline(settings: settings())
        timeline.videos = chance(95) ? row(1...4, isOverlay: false) : []
        let most = timeline.videos.isEmpty ? 1...2 : 0...2
        timeline.overlays = several(most) { draw, _ in
            OverlayTrack(draw.row(1...3, isOverlay: true))
        }
        timeline.dropImpossibleAudioCuts()
        timeline.titles = several(0...2) { draw, _ in draw.title() }
        timeline.voiceOvers = several(0...2) { draw, _ in
            draw.sound(draw.chance(50) ? Self.talk : "a.mp4", loops: false)
        }
        timeline.music = several(0...1) { draw, _ in
            draw.sound("song.m4a", loops: draw.chance(50))
        }
        timeline.ducking = maybe(25) { $0.ducking() }
        timeline.watermark = maybe(25) { $0.watermark() }
        timeline.chapters = times(0...3).map { Chapter(text(), at: $0) }
        timeline.subtitles = several(0...1) { draw, _ in draw.subtitles(timeline.videos.count) }
        switch int(0...5) {
        case 0: timeline.clipSubtitles = .leftOut
        case 1:
            timeline.clipSubtitles = .burnt(language: maybe(50) { $0.pick(["de", "pt-BR"]) })
            if chance(50) { timeline.clipSubtitleLook = subtitleLook() }
        default: break
        }
        if chance(15) { timeline.fonts = ["fonts/own.ttf"] }
        if chance(25), !timeline.videos.isEmpty { timeline.gapAtEnd = milliseconds(1...2000) }
        timeline.inPoint = maybe(15) { $0.milliseconds(0...900) }
        timeline.outPoint = maybe(15) { $0.milliseconds(1000...2000) }
        return timeline
    }

    private mutating func settings() -> TimelineSettings {
        var settings = TimelineSettings()
        settings.renderSize = maybe(40) {
            PixelSize(width: 2 * $0.int(64...1920), height: 2 * $0.int(64...1080))
        }
        settings.frameRate = maybe(50) {
            $0.pick([
                FrameRate(24), FrameRate(25), FrameRate(30_000, per: 1001), FrameRate(30),
                FrameRate(50), FrameRate(24_000, per: 1001), FrameRate(60),
            ])
        }
        if chance(25) {
            settings.startTimeCode = TimeCodeText(
                pick(["00:00:00:00", "01:00:00:00", "10:20:30:12"]))
        }
        if settings.frameRate == FrameRate(30_000, per: 1001), chance(30) {
            settings.startTimeCode = TimeCodeText("01:00:10;02")
        }
        settings.color = maybe(30) { $0.pick([.bt709, .bt601]) }
        settings.pixelFormat = maybe(30) { $0.pick([.yuv420p, .yuv420p10le]) }
        if chance(30) { settings.background = opaque() }
        if chance(30) { settings.fit = pick(FitMode.self) }
        if chance(30) { settings.pitch = .followsSpeed }
        settings.loudness = maybe(20) {
            LoudnessTarget(
                integrated: $0.real(-40 ... -5), truePeak: $0.chance(50) ? -1 : $0.real(-12...0))
        }
        if chance(20) { settings.stillDuration = milliseconds(2400...4800, step: 240) }
        if chance(20) { settings.stillMotion = motion() }
        if chance(20) {
            settings.theme = TitleTheme(
                family: family(), headingFamily: maybe(50) { $0.family() }, color: color(),
                accent: color(), ground: color())
        }
        settings.title = maybe(40) { "Film " + $0.text() }
        return settings
    }

    private mutating func title() -> TitleItem {
        var title = TitleItem(
            text(), style: pick(TitleStyle.self), at: milliseconds(0...1500),
            duration: milliseconds(100...4000), image: maybe(20) { _ in "i.png" })
        title.look = TitleLook(
            family: maybe(30) { $0.family() }, color: maybe(30) { $0.color() },
            accent: maybe(30) { $0.color() }, allowsMissingGlyphs: chance(20))
        if chance(30) {
            title.placement = TitlePlacement(
                x: real(-4...4), y: real(-4...4), scale: real(0...10), rotation: real(-360...360),
                opacity: real(0...1))
        }
        guard chance(30) else { return title }
        title.keyframes = times(1...3).map { time in
            var key = TitleKeyframe(time, curve: curve())
            key.x = real(-4...4)
            key.y = maybe(50) { $0.real(-4...4) }
            key.scale = maybe(50) { $0.real(0...10) }
            key.rotation = maybe(50) { $0.real(-360...360) }
            key.opacity = maybe(50) { $0.real(0...1) }
            return key
        }
        return title
    }

    private mutating func sound(_ path: String, loops: Bool) -> AudioItem {
        var item = AudioItem(path, at: time(upTo: 1), start: time(upTo: 2), loops: loops)
        item.name = maybe(30) { "Sound " + $0.text() }
        if chance(70) { item.end = item.start + milliseconds(1500...3500) }
        if chance(40) { item.volume = real(0...16) }
        if chance(40) { item.pan = real(-1...1) }
        item.treatment = treatment()
        item.keyframes = audioKeys()
        if chance(40) { item.fadeIn = milliseconds(1...400) }
        if chance(40) { item.fadeOut = milliseconds(1...400) }
        return item
    }

    private mutating func ducking() -> MusicDucking {
        MusicDucking(
            under: pick(MusicDucking.Speech.self), depth: real(0...60), threshold: real(-90...0),
            attack: milliseconds(1...900), hold: milliseconds(0...900),
            release: milliseconds(1...900))
    }

    private mutating func watermark() -> Watermark {
        var mark = Watermark(
            chance(50) ? .text(text()) : .image(path: "mark.png"),
            corner: pick(Watermark.Corner.self), opacity: real(0...1), size: real(0.001...1))
        mark.anchor = maybe(30) { $0.pick(Watermark.Anchor.self) }
        mark.horizontalMargin = maybe(30) { $0.real(0...1) }
        mark.verticalMargin = maybe(30) { $0.real(0...1) }
        mark.origin = maybe(20) { Point(x: $0.real(0...999), y: $0.real(0...999)) }
        mark.timeRange = maybe(30) {
            MediaTimeRange(start: $0.milliseconds(0...900), duration: $0.milliseconds(1...900))
        }
        mark.look.family = maybe(30) { $0.family() }
        mark.look.color = maybe(30) { $0.color() }
        return mark
    }

    private mutating func subtitleLook() -> SubtitleLook {
        SubtitleLook(
            family: maybe(50) { $0.family() }, size: real(0.01...0.5), color: color(),
            outline: color(), box: maybe(50) { $0.color() }, place: pick(SubtitleLook.Place.self),
            margin: real(0...0.45))
    }

    private mutating func subtitles(_ clips: Int) -> SubtitleItem {
        var item = SubtitleItem("words.srt", isBurnt: chance(50))
        item.language = maybe(50) { $0.pick(["de", "pt-BR"]) }
        item.delay = chance(30) ? .milliseconds(Int64(int(-900...900))) : .zero
        item.clip = clips > 0 ? maybe(40) { $0.int(0...(clips - 1)) } : nil
        item.encoding = maybe(20) { _ in "windows-1252" }
        if item.isBurnt {
            if chance(50) { item.look = subtitleLook() }
        } else {
            item.name = maybe(50) { $0.text() }
            item.isForced = chance(30)
        }
        return item
    }
}

extension Timeline {
    /// Leaves those out for which a source has too little, or which leave nothing of another clip's audio.
    fileprivate mutating func dropImpossibleAudioCuts() {
        var trial = self
        for index in videos.indices { trial.videos[index].audioCut = nil }
        for track in overlays.indices {
            for index in overlays[track].videos.indices {
                trial.overlays[track].videos[index].audioCut = nil
            }
        }
        func isPossible(_ timeline: Timeline) -> Bool {
            let builder = TimelineBuilder(timeline, assets: Draw.assets)
            return (try? (builder.placedClips(), builder.placedOverlays())) != nil
        }
        for index in videos.indices {
            let plain = trial
            trial.videos[index].audioCut = videos[index].audioCut
            if !isPossible(trial) { trial = plain }
        }
        for track in overlays.indices {
            for index in overlays[track].videos.indices {
                let plain = trial
                trial.overlays[track].videos[index].audioCut =
                    overlays[track].videos[index].audioCut
                if !isPossible(trial) { trial = plain }
            }
        }
        self = trial
    }
}
