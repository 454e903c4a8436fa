import Media
import TestSupport
import Testing

@testable import Compose

@Suite(
    "Rates and ramps of compositions by hand", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg")
)
struct RampCurveTests {
    private let clips: NumberedClips

    init() throws { clips = try NumberedClips() }

    @Test(
        "a video composition of itself has the highest rate of its movies, so that none loses frames"
    )
    func highestRate() throws {
        let slow = try clips.clip("a.mp4", rate: "24", frames: 12)
        let fast = try clips.clip("b.mp4", rate: "60", frames: 30, from: 100)
        var composition = Composition()
        try composition.insert(slow, at: .zero)
        try composition.insert(fast, at: composition.duration)
        let video = try VideoComposition(
            propertiesOf: composition, assets: [slow, fast])
        #expect(video.frameDuration == FrameRate(60).frameDuration)
        let film = Film(composition: composition, videoComposition: video)
        let numbers = try clips.numbers(VideoCompositionOutput(film: film))
        #expect(numbers.count == 60)
        #expect(Array(numbers.suffix(30)) == Array(100..<130))
        #expect(Set(numbers.prefix(30)) == Set(0..<12))
    }

    @Test("an opacity goes by its curve, and never beyond what it can be")
    func opacityCurve() throws {
        let white = try clips.clip("a.mp4", luma: 235)
        var composition = Composition()
        try composition.insert(white, at: .zero)
        let all = MediaTimeRange(start: .zero, duration: .seconds(1))
        func frames(_ curve: TimingCurve) throws -> [Int] {
            var video = try VideoComposition(propertiesOf: composition, assets: [white])
            video.instructions[0].layers[0].opacities = [
                OpacityRamp(timeRange: all, from: 0, to: 1, curve: curve)
            ]
            let film = Film(composition: composition, videoComposition: video)
            return try clips.pictures(VideoCompositionOutput(film: film)).map(clips.luma)
        }
        let shown = try frames(.easeIn)
        for (frame, luma) in shown.enumerated() {
            let wanted = 16 + 219 * TimingCurve.easeIn.value(at: Double(frame) / 30)
            #expect(abs(Double(luma) - wanted) < 3, "\(frame)")
        }
        // the control: as far from a line as the curve is
        #expect(abs(shown[15] - (16 + 219 / 2)) > 30)
        let springing = try frames(.cubicBezier(0.3, 2, 0.6, 1))
        #expect(springing.max() ?? 0 > 232 && springing.allSatisfy { $0 <= 236 })
        #expect((125...126).contains(try frames(.linear)[15]))
    }

    @Test("transforms, crops and volumes go by their curves, from their start to their end")
    func otherCurves() throws {
        let all = MediaTimeRange(start: .zero, duration: .seconds(1))
        let middle = MediaTime.milliseconds(500)
        let part = TimingCurve.easeOut.value(at: 0.5)
        #expect(part > 0.6)
        var layer = LayerInstruction(
            trackID: 1,
            transforms: [
                TransformRamp(
                    timeRange: all, from: .identity, to: .translation(x: 100, y: 0),
                    curve: .easeOut)
            ],
            crops: [
                CropRectangleRamp(
                    timeRange: all, from: Rectangle(x: 0, y: 0, width: 100, height: 50),
                    to: Rectangle(x: 0, y: 0, width: 0, height: 50), curve: .easeOut)
            ])
        #expect(abs(layer.transform(at: middle).tx - 100 * part) < 1e-9)
        #expect(abs((layer.crop(at: middle)?.rectangle.width ?? 0) - 100 * (1 - part)) < 1e-9)
        #expect(layer.transform(at: .zero) == .identity)
        #expect(layer.transform(at: .seconds(2)).tx == 100)
        layer.crops[0].curve = .cubicBezier(0.3, 2, 0.6, 2)
        #expect(layer.crop(at: .milliseconds(700))?.rectangle.width == 0)
        let volume = VolumeRamp(timeRange: all, from: 0, to: 1, curve: .easeOut)
        #expect(abs(volume.volume(progress: 0.5) - part) < 1e-12)
        #expect(volume.volume(progress: 1) == 1 && volume.volume(progress: -1) == 0)
        let low = VolumeRamp(
            timeRange: all, from: 1, to: 0, curve: .cubicBezier(0.3, 2, 0.6, 2))
        #expect(low.volume(progress: 0.6) == 0)
    }
}
