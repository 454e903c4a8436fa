import Compose
import Media

/// A project that uses every key, and the timeline it stands for.
enum ProjectExamples {
    static let full = """
        // a film with everything
        {
          $schema: 'schema.json', schema: "vcap.film/1",
          title: "Summer \\u2014 été",
          size: "1080p", fps: "30000/1001", color: 'bt709', bits: 10,
          background: '#102030', fit: "blurred", pitch: 'follows-speed',
          videos: [
            "a.mp4",
            { file: 'clips/b.mov', name: 'Beach', start: 1.5, end: "00:01:02.5", speed: "3/2",
              fit: "cover", volume: 0.25, transition: "dissolve:1s" },
            { file: 'c.gif', transition: { kind: "wipe", direction: 'up', softness: .1,
              duration: "1001/30000" } },
          ],
          titles: [
            'Summer',
            { text: "Two\\nlines", style: "lower-third", at: "1m30s", duration: 2, image: 'i.png',
              font: 'Serif', color: 'yellow', accent: '#00ff0080', allowMissingGlyphs: true },
          ],
          voiceOvers: [{ file: 'talk.wav', name: "Ann", at: 3, start: '250ms', end: 9, volume: 2,
            pan: -0.5, keyframes: [{ time: 0, volume: 2 }, { time: 2.5, volume: 1 }] }],
          music: [{ file: 'song.m4a', fadeIn: 1, fadeOut: 2, loop: true }],
          ducking: { under: 'both', depth: 18, threshold: -30, attack: .1, hold: 0, release: 1 },
          watermark: { text: '© me', corner: 'top-left', opacity: 0.5, size: 0.2, font: 'Mono',
            color: "white" },
          in: 0.5, out: "1m30s",
          chapters: [{ at: 0, title: "Begin" }, { at: "1m", title: 'Later' }],
        }
        """

    static var timeline: Timeline {
        var look = TitleLook(family: "Serif")
        look.color = Color(red: 1, green: 1, blue: 0)
        look.accent = Color(red: 0, green: 1, blue: 0, alpha: 128.0 / 255)
        look.allowsMissingGlyphs = true
        var mark = Watermark(.text("© me"), corner: .topLeft, opacity: 0.5, size: 0.2)
        mark.look.family = "Mono"
        mark.look.color = .white
        return Timeline(
            settings: TimelineSettings(
                renderSize: PixelSize(width: 1920, height: 1080),
                frameRate: FrameRate(30_000, per: 1001), color: .bt709, pixelFormat: .yuv420p10le,
                background: Color(red: 16.0 / 255, green: 32.0 / 255, blue: 48.0 / 255),
                fit: .blurred, pitch: .followsSpeed, title: "Summer — été"),
            videos: [
                VideoItem("a.mp4"),
                VideoItem(
                    "clips/b.mov", name: "Beach", start: .milliseconds(1500),
                    end: .milliseconds(62_500), speed: Speed(3, per: 2), fit: .cover, volume: 0.25,
                    transition: .dissolve(.seconds(1))),
                VideoItem(
                    "c.gif",
                    transition: .wipe(
                        .up, softness: 0.1, MediaTime(value: 1001, timescale: 30_000))),
            ],
            titles: [
                TitleItem("Summer"),
                TitleItem(
                    "Two\nlines", style: .lowerThird, at: .seconds(90), duration: .seconds(2),
                    image: "i.png", look: look),
            ],
            voiceOvers: [
                AudioItem(
                    "talk.wav", name: "Ann", at: .seconds(3), start: .milliseconds(250),
                    end: .seconds(9), volume: 2, pan: -0.5,
                    keyframes: [
                        .init(.zero, volume: 2), .init(.milliseconds(2500), volume: 1),
                    ])
            ],
            music: [
                AudioItem(
                    "song.m4a", fadeIn: .seconds(1), fadeOut: .seconds(2), loops: true)
            ],
            ducking: MusicDucking(
                under: .both, depth: 18, threshold: -30, attack: .milliseconds(100), hold: .zero,
                release: .seconds(1)),
            watermark: mark,
            chapters: [Chapter("Begin", at: .zero), Chapter("Later", at: .seconds(60))],
            inPoint: .milliseconds(500), outPoint: .seconds(90))
    }
}
