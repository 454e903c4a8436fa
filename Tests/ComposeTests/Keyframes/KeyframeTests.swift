import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Key frames of clips")
struct KeyframeTests {
    private let frame = PixelSize(width: 1280, height: 720)
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10, width: 1280, height: 720),
        SampleAsset.clip("tall.mp4", seconds: 10, width: 600, height: 800),
    ]

    /// Of 50 frames a second unless it says itself.
    private func film(_ timeline: Timeline) throws -> Film {
        var timeline = timeline
        timeline.settings.frameRate = FrameRate(50)
        return try TimelineBuilder(timeline, assets: assets).film()
    }

    private func clip(_ path: String = "a.mp4", _ edit: (inout VideoItem) -> Void) -> VideoItem {
        var item = VideoItem(path)
        edit(&item)
        return item
    }

    private func key(
        _ time: MediaTime, _ curve: TimingCurve = .linear, _ edit: (inout ClipKeyframe) -> Void
    ) -> ClipKeyframe {
        var key = ClipKeyframe(time, curve: curve)
        edit(&key)
        return key
    }

    private func layer(_ item: VideoItem) throws -> LayerInstruction {
        let film = try film(Timeline(videos: [item]))
        return try #require(film.videoComposition?.instructions.first?.layers.first)
    }

    /// What of the layer shows: left, top, right and lower edge in the frame (pixels).
    private func edges(_ layer: LayerInstruction, _ time: MediaTime, _ size: Size) -> [Double] {
        let crop =
            layer.crop(at: time)?.rectangle
            ?? Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let map = layer.transform(at: time)
        let (left, top) = map.apply(x: crop.x, y: crop.y)
        let (right, bottom) = map.apply(x: crop.x + crop.width, y: crop.y + crop.height)
        return [left, top, right, bottom]
    }

    private func isNear(_ one: [Double], _ two: [Double], _ distance: Double = 0.07) -> Bool {
        zip(one, two).allSatisfy { ($0 - $1).magnitude <= distance }
    }

    @Test(
        "a clip goes from its own place to a key frame's, along a line at even speed, and stays there"
    )
    func places() throws {
        let size = Size(width: 1280, height: 720)
        let layer = try layer(
            clip {
                $0.keyframes = [
                    key(.seconds(2)) { $0.place = ClipPlace(left: 0, top: 0, width: 1, height: 1) },
                    key(.seconds(4)) { $0.place = ClipPlace(.topLeft, margin: 0.1, width: 0.25) },
                ]
            })
        #expect(edges(layer, .seconds(1), size) == [0, 0, 1280, 720])
        #expect(isNear(edges(layer, .seconds(3), size), [36, 36, 836, 486]))
        for time in [MediaTime.seconds(4), .seconds(7), .milliseconds(9999)] {
            #expect(edges(layer, time, size) == [72, 72, 392, 252])
        }
        // a straight way is one ramp
        #expect(layer.transforms.count == 3)
    }

    @Test(
        "a curve is followed to a sixteenth of a pixel, and never with more ramps than that needs")
    func curves() throws {
        let size = Size(width: 1280, height: 720)
        for curve in [TimingCurve.easeInOut, .easeIn, .cubicBezier(0.2, 0, 0, 1)] {
            let layer = try layer(
                clip {
                    $0.place = ClipPlace(left: 0, top: 0, width: 0.25)
                    $0.keyframes = [
                        key(.seconds(8), curve) {
                            $0.place = ClipPlace(left: 0.75, top: 0.75, width: 0.25)
                        }
                    ]
                })
            for step in 0...400 {
                let time = MediaTime(value: Int64(step), timescale: 50)
                let part = curve.value(at: Double(step) / 400)
                let (x, y) = (960 * part, 540 * part)
                #expect(isNear(edges(layer, time, size), [x, y, x + 320, y + 180]), "\(step)")
            }
            #expect(layer.transforms.count < 200, "\(layer.transforms.count) ramps")
        }
    }

    @Test("a rotating clip keeps its size: its corners go along circles")
    func rotation() throws {
        let layer = try layer(
            clip {
                $0.place = ClipPlace(.center, width: 0.5)
                $0.keyframes = [
                    key(.seconds(4)) { $0.place = ClipPlace(.center, width: 0.5, rotation: 360) }
                ]
            })
        for step in 0...200 {
            let time = MediaTime(value: Int64(step), timescale: 50)
            let angle = Double(step) / 200 * 2 * Double.pi
            let corner = layer.transform(at: time).apply(x: 0, y: 0)
            let x = 640 - 320 * cosine(angle) + 180 * sine(angle)
            let y = 360 - 320 * sine(angle) - 180 * cosine(angle)
            #expect(isNear([corner.x, corner.y], [x, y]), "\(step)")
        }
    }

    @Test("whole turns between two key frames are made", arguments: [720.0, 1440, 36_000])
    func turns(rotation: Double) throws {
        let layer = try layer(
            clip {
                $0.place = ClipPlace(.center, width: 0.5)
                $0.keyframes = [
                    key(.seconds(8)) {
                        $0.place = ClipPlace(.center, width: 0.5, rotation: rotation)
                    }
                ]
            })
        for frame in 0...400 {
            let time = MediaTime(value: Int64(frame), timescale: 50)
            let wanted = Transform2D.rotation(degrees: rotation * Double(frame) / 400)
            let map = layer.transform(at: time)
            #expect(isNear([map.a * 2, map.b * 2], [wanted.a, wanted.b], 1e-3), "\(frame)")
        }
    }

    @Test("a clip that rests in a place lies where one without key frames does")
    func rest() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<200 {
            let place = ClipPlace(
                left: .random(in: 0...0.5, using: &random),
                top: .random(in: 0...0.5, using: &random),
                width: .random(in: 0.1...0.5, using: &random),
                height: Bool.random(using: &random) ? .random(in: 0.1...0.5, using: &random) : nil)
            let crop = ClipCrop(left: .random(in: 0...0.5, using: &random))
            let still = try layer(
                clip("tall.mp4") { ($0.place, $0.crop, $0.look.cornerRadius) = (place, crop, 0.1) })
            let moved = try layer(
                clip("tall.mp4") {
                    ($0.place, $0.crop) = (place, crop)
                    $0.keyframes = [key(.seconds(2)) { $0.cornerRadius = 0.1 }]
                })
            let size = Size(width: 600, height: 800)
            #expect(
                isNear(edges(still, .seconds(5), size), edges(moved, .seconds(5), size), 1e-6))
        }
    }

    @Test("each value has its own way past key frames that do not give it")
    func independent() throws {
        let layer = try layer(
            clip {
                $0.look.opacity = 0.2
                $0.keyframes = [
                    key(.seconds(1)) { $0.cornerRadius = 0.1 },
                    key(.seconds(2)) { $0.crop = ClipCrop(left: 0.5) },
                    key(.seconds(4)) { $0.opacity = 1 },
                    key(.seconds(5)) { $0.border = ClipLook.Border(width: 0.01, color: .white) },
                    key(.seconds(6)) { $0.opacity = 0 },
                ]
            })
        let instants: [(MediaTime, Double)] = [
            (.zero, 0.2), (.seconds(2), 0.6), (.seconds(4), 1), (.seconds(5), 0.5),
            (.seconds(6), 0), (.seconds(9), 0),
        ]
        for (time, opacity) in instants {
            #expect((layer.opacity(at: time) - opacity).magnitude < 1e-9)
        }
        #expect(layer.crop(at: .seconds(1))?.rectangle.x == 320)
        #expect(layer.crop(at: .seconds(3))?.rectangle.x == 640)
        // a tenth of the shorter side: of all of it at 0.5 s, of what the crop leaves later
        let half = layer.decoration(at: .milliseconds(500)).cornerRadius
        #expect((half - 0.05 * 720).magnitude < 0.07)
        #expect((layer.decoration(at: .seconds(3)).cornerRadius - 64).magnitude < 0.07)
        #expect(layer.decoration(at: .zero).border == nil)
        let border = try #require(layer.decoration(at: .milliseconds(2500)).border)
        #expect((border.width - 3.6).magnitude < 0.07)
        #expect(layer.decoration(at: .seconds(9)).border?.width == 7.2)
    }

    @Test("of two key frames at one time the first is come to and the second continued from")
    func jumps() throws {
        let layer = try layer(
            clip {
                $0.keyframes = [
                    key(.seconds(2)) { $0.opacity = 0.5 }, key(.seconds(2)) { $0.opacity = 0.1 },
                    key(.seconds(4)) { $0.opacity = 1 },
                ]
            })
        #expect((layer.opacity(at: .seconds(1)) - 0.75).magnitude < 1e-9)
        #expect(
            layer.opacity(at: MediaTime(value: 2_000_000_000 - 1, timescale: 1_000_000_000)) > 0.499
        )
        #expect(layer.opacity(at: .seconds(2)) == 0.1)
        #expect((layer.opacity(at: .seconds(3)) - 0.55).magnitude < 1e-9)
    }

    @Test("key frames and fades multiply, seen and heard")
    func fades() throws {
        let item = clip {
            ($0.fadeIn, $0.fadeOut) = (.seconds(2), .seconds(2))
            $0.keyframes = [
                key(.seconds(2)) { ($0.opacity, $0.volume) = (0.5, 3) },
                key(.seconds(10)) { ($0.opacity, $0.volume) = (1, 1) },
            ]
        }
        let film = try film(Timeline(videos: [item]))
        let layer = try #require(film.videoComposition?.instructions.first?.layers.first)
        let mix = try #require(film.audioMix.inputs.first)
        func opacity(_ t: Double) -> Double { t < 2 ? 1 - t / 4 : 0.5 + (t - 2) / 16 }
        func volume(_ t: Double) -> Double { t < 2 ? 1 + t : 3 - (t - 2) / 4 }
        func fade(_ t: Double) -> Double { min(1, t / 2) * min(1, (10 - t) / 2) }
        for step in 0...500 {
            let time = MediaTime(value: Int64(step), timescale: 50)
            let t = Double(step) / 50
            #expect((layer.opacity(at: time) - opacity(t) * fade(t)).magnitude < 0.001, "\(t)")
            #expect((mix.gain(at: time) - volume(t) * fade(t)).magnitude < 0.001, "\(t)")
        }
    }

    @Test(
        "a pan moves by its key frames on top of its voices' own, and jumps where two are at one time"
    )
    func pans() throws {
        let item = clip {
            $0.pan = -1
            $0.voices = [ClipVoice(track: 2, pan: 0.5)]
            $0.keyframes = [
                key(.seconds(4), .easeInOut) { $0.pan = 1 }, key(.seconds(6)) { $0.volume = 0.5 },
                key(.seconds(8)) { $0.pan = 0 }, key(.seconds(8)) { $0.pan = -0.25 },
            ]
        }
        let mix = try #require(try film(Timeline(videos: [item])).audioMix.inputs.first)
        for step in 0..<500 {
            let t = Double(step) / 50
            let own =
                t < 4
                ? -1 + 2 * TimingCurve.easeInOut.value(at: t / 4) : t < 8 ? 1 - (t - 4) / 4 : -0.25
            let pan = mix.pan(at: MediaTime(value: Int64(step), timescale: 50))
            #expect((pan - min(1, own + 0.5)).magnitude < 0.001, "\(t)")
        }
    }

    @Test("a dissolve of clips with key frames is that of clips that change")
    func dissolve() throws {
        let one = clip { $0.keyframes = [key(.seconds(10)) { ($0.opacity, $0.volume) = (0.5, 0) }] }
        let two = clip {
            $0.transition = .dissolve(.seconds(2))
            $0.keyframes = [key(.seconds(4)) { $0.place = ClipPlace(.center, width: 0.5) }]
        }
        let film = try film(Timeline(videos: [one, two]))
        let crossing = try #require(
            film.videoComposition?.instruction(at: .seconds(9)))
        #expect(crossing.timeRange == MediaTimeRange(start: .seconds(8), duration: .seconds(2)))
        for step in 0..<100 {
            let time = MediaTime(value: Int64(400 + step), timescale: 50)
            let share = Double(step) / 100
            let own = 1 - (8 + share * 2) / 20
            #expect((crossing.layers[0].opacity(at: time) - own * (1 - share)).magnitude < 0.001)
            #expect((crossing.layers[1].opacity(at: time) - share).magnitude < 0.001)
            let left = crossing.layers[1].transform(at: time).apply(x: 0, y: 0).x
            #expect((left - 320 * share / 2).magnitude < 0.07)
        }
        let gain = try #require(film.audioMix.inputs.first).gain(at: .seconds(9))
        #expect((gain - 0.1 * 0.5.squareRoot()).magnitude < 0.001)
    }

    @Test("a view is what of a clip fills the frame, and stays within the clip")
    func views() throws {
        var settings = TimelineSettings(renderSize: frame)
        settings.fit = .cover
        func transform(_ view: PictureMotion.View, _ time: MediaTime = .zero) throws -> Transform2D
        {
            let item = clip("tall.mp4") { $0.view = view }
            let film = try film(Timeline(settings: settings, videos: [item]))
            return try #require(film.videoComposition?.instructions.first?.layers.first)
                .transform(at: time)
        }
        // 600x800 covers 1280x720 at 1280x1706.7
        let middle = try transform(.init())
        #expect(isNear([middle.a, middle.tx, middle.ty], [1280.0 / 600, 0, -493.333], 0.001))
        #expect(try transform(.init(y: 0)).ty == 0)
        #expect((try transform(.init(y: 0.3)).apply(x: 300, y: 240).y - 360).magnitude < 1e-9)
        #expect((try transform(.init(y: 1)).apply(x: 0, y: 800).y - 720).magnitude < 1e-9)
        let close = try transform(.init(zoom: 2, x: 0.25, y: 0.5))
        #expect(isNear([close.a, close.tx], [2560.0 / 600, 0], 1e-9))
        // in a place what reaches out of it is cut off
        let item = clip("tall.mp4") {
            $0.place = ClipPlace(left: 0, top: 0, width: 0.5, height: 0.5)
            ($0.fit, $0.view) = (.cover, .init(zoom: 2, x: 1, y: 1))
        }
        let placed = try layer(item)
        #expect(
            isNear(edges(placed, .zero, Size(width: 600, height: 800)), [0, 0, 300, 400], 0.001))
        #expect(placed.crop(at: .zero)?.rectangle.x == 300)
    }

    @Test("zooming between views grows by the same factor in the same time")
    func zoom() throws {
        let layer = try layer(
            clip {
                $0.fit = .cover
                $0.keyframes = [key(.seconds(8)) { $0.view = .init(zoom: 4, x: 0.8, y: 0.3) }]
            })
        let motion = PictureMotion(from: .init(), to: .init(zoom: 4, x: 0.8, y: 0.3))
        let format = VideoFormat(coding: .raw(.yuv420p), width: 1280, height: 720)
        for step in 0...400 {
            let time = MediaTime(value: Int64(step), timescale: 50)
            let wanted = motion.transform(for: format, in: frame, at: Double(step) / 400)
            let made = layer.transform(at: time)
            for corner in [(0.0, 0.0), (1280.0, 720.0)] {
                let back = try #require(wanted.inverse).apply(x: corner.0, y: corner.1)
                let place = made.apply(x: back.x, y: back.y)
                #expect(isNear([place.x, place.y], [corner.0, corner.1]), "\(step)")
            }
        }
    }

    @Test("what has no effect is reported")
    func unused() throws {
        let film = try film(
            Timeline(
                videos: [
                    clip {
                        $0.keyframes = [
                            key(.seconds(9)) { $0.opacity = 1 },
                            key(.seconds(11)) { $0.opacity = 0 },
                        ]
                        $0.view = .init(x: 0)
                    },
                    clip {
                        $0.voices = []
                        $0.keyframes = [key(.seconds(1)) { $0.volume = 0 }]
                    },
                    clip {
                        $0.voices = []
                        $0.keyframes = [key(.seconds(1)) { $0.pan = 0 }]
                    },
                ],
                titles: [
                    {
                        var title = TitleItem("x")
                        var key = TitleKeyframe(.seconds(5))
                        key.x = 1
                        title.keyframes = [key]
                        return title
                    }()
                ]))
        for words in [
            "its key frame at 11 s lies behind its end; it shows for 10 s",
            "its view changes nothing, because all of it is shown",
            "change the volume, and no audio of it is heard",
            "change the pan, and no audio of it is heard",
            "title 1 (\"x\"): some of its key frames lie behind its end",
        ] {
            #expect(film.warnings.contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test("a clip that its key frames bring into the frame is not reported as unseen")
    func seenLater() throws {
        func warnings(_ key: ClipKeyframe?) throws -> [String] {
            let item = clip {
                $0.place = ClipPlace(left: 2, top: 0, width: 0.2)
                $0.keyframes = [key].compactMap(\.self)
            }
            return try film(Timeline(videos: [item])).warnings
        }
        let inside = key(.seconds(5)) { $0.place = ClipPlace(left: -2, top: 0, width: 0.2) }
        let outside = key(.seconds(5)) { $0.place = ClipPlace(left: 3, top: 0, width: 0.2) }
        #expect(try warnings(inside).allSatisfy { !$0.contains("not seen") })
        #expect(try warnings(outside).contains { $0.contains("it lies outside of the frame") })
        #expect(try warnings(nil).contains { $0.contains("it lies outside of the frame") })
    }

    @Test(
        "what key frames cannot be is refused with their number",
        arguments: [
            ("opacity", 2.0), ("corner", 0.7), ("volume", 17), ("pan", -1.5), ("zoom", 0.5),
            ("width", 0),
            ("crop", 1), ("border", 0), ("order", 0), ("nothing", 0), ("late", 0),
        ])
    func refusals(what: String, value: Double) {
        let wrong = key(.seconds(2)) {
            switch what {
            case "opacity": $0.opacity = value
            case "corner": $0.cornerRadius = value
            case "volume": $0.volume = value
            case "pan": $0.pan = value
            case "zoom": $0.view = .init(zoom: value)
            case "width": $0.place = ClipPlace(width: value)
            case "crop": $0.crop = ClipCrop(left: value)
            case "border": $0.border = .init(width: value)
            case "order": ($0.time, $0.opacity) = (.zero, 1)
            case "late": ($0.time, $0.opacity) = (.seconds(90_000), 1)
            default: break
            }
        }
        let item = clip { $0.keyframes = [key(.seconds(1)) { $0.opacity = 1 }, wrong] }
        #expect {
            try Timeline(videos: [item]).validate()
        } throws: { error in
            guard let error = error as? MediaError else { return false }
            return error.subject == "key frame 2 of clip 1 (a.mp4)"
                && error.code == .invalidSetting
        }
    }
}

private func cosine(_ angle: Double) -> Double {
    Transform2D.rotation(degrees: angle * 180 / .pi).a
}
private func sine(_ angle: Double) -> Double { Transform2D.rotation(degrees: angle * 180 / .pi).b }
