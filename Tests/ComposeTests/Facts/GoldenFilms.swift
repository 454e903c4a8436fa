import Media

@testable import Compose
@testable import Reading

/// Films of assets without files, whose description is held against a text.
enum GoldenFilms {
    static let assets = [
        SampleAsset.clip("a.mp4", seconds: 10),
        SampleAsset.subtitled(SampleAsset.clip("b.mp4", seconds: 8), duration: .seconds(8)),
        animation,
        SampleAsset.clip("tall.mp4", seconds: 5, width: 96, height: 160),
        SampleAsset.clip("wide.mp4", seconds: 5, width: 320, height: 96, rate: FrameRate(25)),
        SampleAsset.onlyAudio("talk.wav", seconds: 4),
        SampleAsset.onlyAudio("song.m4a", seconds: 6),
    ]

    private static let animation: Asset = {
        let clip = SampleAsset.clip("c.gif", seconds: 3, sound: false)
        var track = clip.tracks[0]
        track.isAnimation = true
        return SampleAsset.asset(clip.path, [track])
    }()

    /// By the name of their golden text.
    static let timelines: [String: Timeline] = [
        "cuts": Timeline(videos: [
            VideoItem("a.mp4", end: .seconds(4)),
            VideoItem(
                "b.mp4", start: .milliseconds(1500), end: .seconds(6), speed: Speed(3, per: 2)),
            VideoItem("a.mp4", start: .seconds(4), volume: 0.5, gap: .milliseconds(500)),
        ]),
        "transitions": Timeline(videos: [
            VideoItem("a.mp4", end: .seconds(4)),
            VideoItem("b.mp4", end: .seconds(4), transition: .dissolve(.seconds(1))),
            VideoItem("c.gif", transition: .push(.left, .milliseconds(750))),
            VideoItem("a.mp4", end: .seconds(3), transition: .wipe(.up, .milliseconds(500))),
            VideoItem("b.mp4", end: .seconds(3), transition: .fade(through: .white, .seconds(1))),
        ]),
        "fits": Timeline(
            settings: TimelineSettings(
                renderSize: PixelSize(width: 160, height: 90),
                frameRate: FrameRate(30_000, per: 1001)),
            videos: [
                VideoItem("tall.mp4", end: .seconds(1), fit: .contain),
                VideoItem("tall.mp4", end: .seconds(1), fit: .cover),
                VideoItem("wide.mp4", end: .seconds(1), fit: .stretch),
                VideoItem("wide.mp4", end: .seconds(1), fit: .blurred),
            ]),
        "sound": Timeline(
            videos: [VideoItem("a.mp4"), VideoItem("b.mp4", transition: .dissolve(.seconds(2)))],
            voiceOvers: [
                AudioItem(
                    "talk.wav", at: .seconds(2), volume: 2, pan: -0.5,
                    keyframes: [
                        .init(.zero, volume: 2), .init(.milliseconds(2500), volume: 1),
                    ])
            ],
            music: [
                AudioItem("song.m4a", fadeIn: .seconds(1), fadeOut: .seconds(2), loops: true)
            ],
            ducking: MusicDucking(under: .both, depth: 18)),
        "words": Timeline(
            settings: TimelineSettings(title: "Summer"),
            videos: [VideoItem("a.mp4"), VideoItem("b.mp4")],
            titles: [TitleItem("Summer", style: .plain, at: .seconds(1), duration: .seconds(2))],
            watermark: Watermark(.text("© me"), corner: .topLeft, opacity: 0.5),
            chapters: [Chapter("Begin", at: .zero), Chapter("Later", at: .seconds(10))]),
    ]

    static func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    /// A composition cut by hand: what edits leave of segments.
    static func edited() throws -> Film {
        var composition = Composition()
        try composition.insert(assets[0], at: .zero)
        try composition.insert(assets[1], range: .seconds(2, 3), at: .seconds(4))
        try composition.remove(.milliseconds(500, 1250))
        try composition.scale(.seconds(1, 2), toDuration: .seconds(3))
        try composition.insertEmpty(.seconds(6, 1), into: composition.tracks[0].id)
        let frames = try VideoComposition(propertiesOf: composition, assets: assets)
        return Film(composition: composition, videoComposition: frames, assets: assets)
    }
}
