import Media
import Reading
import Testing

@testable import Compose

@Suite struct VideoCompositionTests {
    private func composition() throws -> Composition {
        var composition = Composition()
        try composition.insert(SampleAsset.clip("a.mp4", seconds: 10), at: .zero)
        return composition
    }

    private func video(_ ranges: [MediaTimeRange]) -> VideoComposition {
        VideoComposition(
            renderSize: PixelSize(width: 160, height: 96),
            frameDuration: MediaTime(value: 1, timescale: 30),
            instructions: ranges.map {
                Instruction(timeRange: $0, layers: [LayerInstruction(trackID: 1)])
            })
    }

    private func refusal(_ edit: (inout VideoComposition) -> Void) throws -> String {
        var video = video([.seconds(0, 10)])
        edit(&video)
        let composition = try composition()
        do throws(MediaError) { try video.validate(for: composition) } catch {
            return error.message
        }
        return "nothing was refused"
    }

    @Test func instructionsThatCoverTheFilmAreAccepted() throws {
        try video([.seconds(0, 3), .seconds(3, 7)]).validate(for: composition())
        try video([.seconds(0, 30)]).validate(for: composition())
    }

    @Test func holesAndOverlapsAreNamed() throws {
        let table: [([MediaTimeRange], String)] = [
            (
                [.seconds(0, 3), .seconds(4, 6)],
                "no instruction covers 3 s to 4 s; add one, without layers where only the background "
                    + "shows"
            ),
            (
                [.milliseconds(500, 9500)],
                "no instruction covers 0 s to 0.5 s; add one, without layers where only the "
                    + "background shows"
            ),
            (
                [.seconds(0, 9)],
                "no instruction covers 9 s to 10 s; add one, without layers where only the "
                    + "background shows"
            ),
            (
                [.seconds(0, 5), .seconds(4, 6)],
                "two instructions overlap from 4 s to 5 s; end the first or begin the second elsewhere"
            ),
            (
                [.seconds(0, 0), .seconds(0, 10)],
                "the instruction at 0 s has no length; take it out"
            ),
        ]
        for (ranges, sentence) in table {
            let answer = try refusal { $0.instructions = video(ranges).instructions }
            #expect(answer == sentence)
        }
    }

    @Test func valuesOutOfTheirRangeAreNamed() throws {
        func layer(_ edit: (inout LayerInstruction) -> Void) throws -> String {
            try refusal { edit(&$0.instructions[0].layers[0]) }
        }
        #expect(
            try refusal { $0.renderSize = PixelSize(width: 161, height: 96) }
                == "the render size is 161x96; both must be even and above zero, and a frame has at "
                + "most as many pixels as 7680x4320")
        // UHD-2 is the largest
        var largest = VideoComposition(
            renderSize: PixelSize(width: 7680, height: 4320), frameDuration: .milliseconds(40))
        try largest.validateSettings()
        largest.renderSize.height += 2
        #expect(throws: MediaError.self) { try largest.validateSettings() }
        #expect(
            try refusal { $0.frameDuration = .zero }
                == "a frame would last 0 s; it must be above zero and at most an hour")
        #expect(
            try refusal { $0.pixelFormat = .nv12 }
                == "frames cannot be composed in nv12; use yuv420p or yuv420p10le")
        #expect(
            try layer { $0.trackID = 2 }
                == "the instruction at 0 s shows track 2, which is no video track of the composition "
                + "and no layer track"
        )
        #expect(
            try layer { $0.opacities = [OpacityRamp(1.5, from: .seconds(1))] }
                == "the opacity of track 1 at 1 s goes from 1.5 to 1.5; an opacity can be 0 to 1")
        #expect(
            try layer {
                $0.opacities = [
                    OpacityRamp(timeRange: .seconds(0, 2), from: 0, to: 1),
                    OpacityRamp(timeRange: .seconds(1, 2), from: 1, to: 0),
                ]
            }
                == "two opacity ramps of track 1 overlap at 1 s: one lasts until 2 s; ramps must be in "
                + "order of time")
        #expect(
            try layer { $0.transforms = [TransformRamp(.scale(x: .nan, y: 1))] }
                == "the transform of track 1 at 0 s is not finite")
        #expect(
            try layer { $0.fill = .blurred(radius: 0) }
                == "the blur of track 1 has a radius of 0.0 pixels; it can be 0.1 to 1000")
    }

    @Test func rampsAreLinearBetweenAndHoldOutside() {
        let layer = LayerInstruction(
            trackID: 1,
            transforms: [
                TransformRamp(
                    timeRange: .seconds(1, 2), from: .identity,
                    to: Transform2D(a: 3, b: 2, c: -2, d: 1, tx: 100, ty: -50))
            ],
            opacities: [
                OpacityRamp(timeRange: .seconds(1, 2), from: 0, to: 1),
                OpacityRamp(timeRange: .seconds(5, 1), from: 0.5, to: 0),
            ],
            crops: [
                CropRectangleRamp(
                    timeRange: .seconds(0, 4), from: Rectangle(x: 0, y: 0, width: 100, height: 40),
                    to: Rectangle(x: 50, y: 20, width: 0, height: 40), softness: 3)
            ])
        let opacities = [0, 1000, 1500, 3000, 4999, 5000, 5500, 9000].map {
            layer.opacity(at: .milliseconds($0))
        }
        #expect(opacities == [0, 0, 0.25, 1, 1, 0.5, 0.25, 0])
        #expect(
            layer.transform(at: .seconds(2))
                == Transform2D(a: 2, b: 1, c: -1, d: 1, tx: 50, ty: -25))
        #expect(
            layer.crop(at: .seconds(1))
                == CropRectangle(Rectangle(x: 12.5, y: 5, width: 75, height: 40), softness: 3))
        #expect(LayerInstruction(trackID: 1).crop(at: .zero) == nil)
    }

    @Test func aRampWorksAtFrameRatesThatAreNotOnTheGrid() {
        let ramp = OpacityRamp(timeRange: .seconds(0, 1), from: 0, to: 1)
        let layer = LayerInstruction(trackID: 1, opacities: [ramp])
        let value = layer.opacity(at: MediaTime(value: 500_000_007, timescale: 1_000_000_007))
        #expect((value - 0.5).magnitude < 1e-7)
    }

    @Test func aFilmHasTheFramesThatCoverIt() {
        var video = video([.seconds(0, 10)])
        #expect(video.frameCount(for: .seconds(10)) == 300)
        #expect(video.frameCount(for: .milliseconds(10_001)) == 301)
        video.frameDuration = MediaTime(value: 1001, timescale: 30_000)
        #expect(video.frameCount(for: .seconds(10)) == 300)
        #expect(video.frameCount(for: MediaTime(value: 3003, timescale: 30_000)) == 3)
    }

    @Test func overlappingTracksMakeOneInstructionPerBorderWithTheFirstTrackInFront() throws {
        let wide = SampleAsset.clip("wide.mp4", seconds: 4, width: 320, height: 96, sound: false)
        var composition = try composition()
        let second = composition.addTrack(.video)
        try composition.insert(
            .seconds(0, 4), of: wide, track: wide.tracks[0], at: .seconds(8), into: second)
        let video = try VideoComposition(
            propertiesOf: composition, assets: [SampleAsset.clip("a.mp4"), wide])
        try video.validate(for: composition)
        #expect(video.instructions.map(\.timeRange.start) == [.zero, .seconds(8), .seconds(10)])
        #expect(
            video.instructions.map { $0.layers.map(\.trackID) } == [[1], [1, second], [second]])
        #expect(video.renderSize == PixelSize(width: 160, height: 96))
        #expect(video.frameDuration == MediaTime(value: 1, timescale: 30))
        // 320x96 into 160x96: half the size, in the middle
        #expect(
            video.instructions[2].layers[0].transform(at: .seconds(10))
                == Transform2D(a: 0.5, b: 0, c: 0, d: 0.5, tx: 0, ty: 24))
    }

    @Test func aFileThatIsNotGivenIsNamed() throws {
        let composition = try composition()
        do {
            _ = try VideoComposition(propertiesOf: composition, assets: [])
            Issue.record("a missing asset was accepted")
        } catch {
            #expect(error.message == "a.mp4 is in the composition but not among the assets given")
        }
    }
}
