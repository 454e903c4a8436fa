import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

@Suite("Images of a movie by time", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ImageGeneratorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sixty numbered pictures of 30 a second; a sync sample each twelve, pictures between in another order.
    private func clip(_ name: String) throws -> Asset {
        var clip = GeneratedClip()
        // without audio, whose priming moves the frames of Matroska by some milliseconds
        (clip.width, clip.height, clip.frames, clip.tone) = (96, 54, 60, nil)
        clip.coding = [
            "-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "12", "-keyint_min", "12",
            "-sc_threshold", "0", "-crf", "12",
        ]
        try clip.write(to: folder.file(name))
        return try Asset.load(folder.file(name))
    }

    private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 30) }

    /// A third into a frame.
    private func within(_ frame: Int64) -> MediaTime {
        MediaTime(value: 3 * frame + 1, timescale: 90)
    }

    /// The number of each image, in the order they come.
    private func numbers(_ images: ImageGenerator.Images) async throws -> [Int] {
        var numbers: [Int] = []
        for await element in images { numbers.append(FrameStrip.number(in: try element.image)) }
        return numbers
    }

    @Test(
        "an image is the frame on show and says when that begins, forwards and backwards",
        arguments: ["a.mp4", "a.mkv", "a.ts"])
    func exact(name: String) async throws {
        let generator = try ImageGenerator(asset: try clip(name))
        var random = SplitMix(seed: 5)
        for frame in (0..<Int64(60)).shuffled(using: &random).prefix(25) {
            let (image, time) = try await generator.image(at: within(frame))
            #expect(FrameStrip.number(in: image) == Int(frame))
            #expect(abs((time - frames(frame)).approximateSeconds) < 0.001)
            #expect(image.format == .bgra && image.width == 96 && image.height == 54)
        }
    }

    @Test("times in any order come sorted, twice where asked twice; what is not there is a failure")
    func sequence() async throws {
        let generator = try ImageGenerator(asset: try clip("a.mp4"))
        let times = [
            frames(40), frames(3), -frames(1), frames(59), frames(60), frames(3), within(20),
        ]
        var requested: [MediaTime] = []
        var numbers: [Int?] = []
        for await element in generator.images(for: times) {
            requested.append(element.requestedTime)
            switch element {
            case .success(_, let image, let time):
                numbers.append(FrameStrip.number(in: image))
                #expect(time <= element.requestedTime)
                #expect(element.requestedTime - time < frames(1))
            case .failure(_, let error):
                numbers.append(nil)
                #expect(error.code == .invalidSetting, "\(error)")
                #expect(error.message.contains("a.mp4 lasts from 0 to 2 s"), "\(error)")
            }
        }
        #expect(requested == times.sorted())
        #expect(numbers == [nil, 3, 3, 20, 40, 59, nil])
    }

    @Test(
        "within tolerances the nearest sync sample is shown, and without one the frame itself",
        arguments: ["a.mp4", "a.mkv", "a.ts"])
    func tolerances(name: String) async throws {
        let asset = try clip(name)
        func numbers(_ before: MediaTime?, _ after: MediaTime?, _ places: [Int64]) async throws
            -> [Int]
        {
            var settings = ImageGeneratorSettings()
            settings.requestedTimeToleranceBefore = before
            settings.requestedTimeToleranceAfter = after
            let generator = try ImageGenerator(asset: asset, settings: settings)
            return try await self.numbers(generator.images(for: places.map(within)))
        }
        let places: [Int64] = [1, 5, 7, 11, 12, 29, 31, 50, 59]
        #expect(try await numbers(.zero, .zero, places) == places.map(Int.init))
        // 31 is as far from 24 as from 36 but for the third of a frame
        #expect(try await numbers(nil, nil, places) == [0, 0, 12, 12, 12, 24, 36, 48, 48])
        #expect(try await numbers(nil, .zero, places) == [0, 0, 0, 0, 12, 24, 24, 48, 48])
        #expect(try await numbers(.zero, nil, places) == [12, 12, 12, 12, 24, 36, 36, 50, 59])
        #expect(
            try await numbers(frames(3), frames(3), places)
                == [0, 5, 7, 12, 12, 29, 31, 48, 59])
    }

    @Test("tolerances reach back into a movie from times outside it")
    func outside() async throws {
        var settings = ImageGeneratorSettings()
        settings.requestedTimeToleranceBefore = nil
        let generator = try ImageGenerator(asset: try clip("a.mp4"), settings: settings)
        #expect(try await generator.image(at: .seconds(9)).actualTime == frames(48))
        let error = await #expect(throws: MediaError.self) {
            try await generator.image(at: .milliseconds(-1))
        }
        #expect(error?.code == .invalidSetting)
    }

    @Test("images are upright with square pixels and fit the box, or are as the track stores them")
    func shapes() async throws {
        let rotated = try await NumberedClip(
            width: 192, height: 96, frames: 3, hasAudio: false,
            orientation: VideoOrientation(rotation: .clockwise90)
        ).write(to: folder.file("turned.mp4"))
        var wide = GeneratedClip()
        (wide.width, wide.height, wide.filter) = (96, 72, "setsar=16/11")
        try wide.write(to: folder.file("wide.mp4"))
        let anamorphic = try Asset.load(folder.file("wide.mp4"))
        func size(
            _ asset: Asset, _ box: PixelSize? = nil, applies: Bool = true
        ) async throws -> [Int] {
            var settings = ImageGeneratorSettings(maximumSize: box)
            settings.appliesPreferredTrackTransform = applies
            let image = try await ImageGenerator(asset: asset, settings: settings)
                .image(at: frames(1)).image
            return [image.width, image.height]
        }
        #expect(try await size(rotated) == [96, 192])
        #expect(try await size(rotated, applies: false) == [192, 96])
        #expect(try await size(rotated, PixelSize(width: 64, height: 64)) == [32, 64])
        #expect(try await size(rotated, PixelSize(width: 640, height: 640)) == [96, 192])
        #expect(try await size(anamorphic) == [140, 72])
        #expect(try await size(anamorphic, applies: false) == [96, 72])
        // the strip lies along the right edge of the rotated frame: a white or black column of cells
        var settings = ImageGeneratorSettings()
        settings.appliesPreferredTrackTransform = false
        let stored = try await ImageGenerator(asset: rotated, settings: settings)
            .image(at: frames(2)).image
        #expect(FrameStrip.number(in: stored) == 2)
    }

    @Test("colours are as screens show them, of 8 and of 16 bits, and opaque")
    func colors() async throws {
        var clip = GeneratedClip()
        (clip.frames, clip.color) = (2, GeneratedClip.Codes(81, 90, 240))
        clip.options = ["-colorspace", "smpte170m", "-color_range", "tv"]
        try clip.write(to: folder.file("red.mp4"))
        let asset = try Asset.load(folder.file("red.mp4"))
        let image = try await ImageGenerator(asset: asset).image(at: .zero).image
        image.withPlane(0) { plane in
            // the reddest red of BT.601
            let pixel = (0..<4).map { Int(plane.row(60)[4 * 96 + $0]) }
            #expect(pixel[0] < 6 && pixel[1] < 6 && pixel[2] > 249 && pixel[3] == 255, "\(pixel)")
        }
        var settings = ImageGeneratorSettings()
        settings.pixelFormat = .rgba64le
        let deep = try await ImageGenerator(asset: asset, settings: settings)
            .image(at: .zero).image
        deep.withPlane(0) { plane in
            let row = plane.row(60)
            let pixel = (0..<4).map { Int(row[8 * 96 + 2 * $0 + 1]) }
            #expect(pixel[0] > 249 && pixel[1] < 6 && pixel[2] < 6 && pixel[3] == 255, "\(pixel)")
        }
    }

    @Test("an animation has each frame for its delay, and a still picture its one at any time")
    func pictureFiles() async throws {
        let path = folder.file("a.gif")
        try Data(PlainGIF.bytes(delays: [10, 20, 30], width: 64, height: 48))
            .write(to: URL(fileURLWithPath: path))
        let animation = try ImageGenerator(asset: try Asset.load(path))
        var begins: [MediaTime] = []
        for await element in animation.images(
            for: [.zero, .milliseconds(99), .milliseconds(100), .milliseconds(599)])
        {
            begins.append(try element.actualTime)
        }
        #expect(begins == [.zero, .zero, .milliseconds(100), .milliseconds(300)])
        let still = folder.file("a.png")
        let film = try await film()
        try Data(try FilmStills(film).frame(at: frames(2)))
            .write(to: URL(fileURLWithPath: still))
        let generator = try ImageGenerator(
            asset: try Asset.load(still),
            settings: ImageGeneratorSettings(maximumSize: PixelSize(width: 96, height: 96)))
        for time in [MediaTime.zero, .seconds(3600)] {
            let image = try await generator.image(at: time).image
            #expect(image.width == 96 && FrameStrip.number(in: image) == 2)
        }
    }

    // MARK: Films

    /// Frames 0 to 19, then 105 to 114.
    private func film() async throws -> Film {
        let first = try await NumberedClip(frames: 20, hasAudio: false)
            .write(to: folder.file("f.mp4"))
        let second = try await NumberedClip(frames: 15, firstNumber: 100, hasAudio: false)
            .write(to: folder.file("s.mp4"))
        var composition = Composition()
        try composition.insert(first, at: .zero)
        try composition.insert(
            second, range: MediaTimeRange(start: frames(5), duration: frames(10)),
            at: composition.duration)
        return Film(composition: composition, videoComposition: nil)
    }

    @Test("images of a composition and of a film are its frames, of the size wanted")
    func filmFrames() async throws {
        let film = try await film()
        var settings = ImageGeneratorSettings(maximumSize: PixelSize(width: 96, height: 96))
        settings.requestedTimeToleranceBefore = nil
        let generator = try ImageGenerator(film: film, settings: settings)
        var shown: [Int: MediaTime] = [:]
        for await element in generator.images(for: [25, 2, 19, 20, 29].map(within)) {
            let image = try element.image
            #expect(image.width == 96 && image.height == 54)
            shown[FrameStrip.number(in: image)] = try element.actualTime
        }
        #expect(
            shown == [
                2: frames(2), 19: frames(19), 105: frames(20), 110: frames(25), 114: frames(29),
            ])
        #expect(try await generator.image(at: .seconds(7)).actualTime == frames(29))
        // instructions of one's own: the second clip is not shown
        let assets = try [folder.file("f.mp4"), folder.file("s.mp4")].map { path in
            try Asset.load(path)
        }
        var pictures = try VideoComposition(propertiesOf: film.composition, assets: assets)
        pictures.instructions[1].layers = []
        let own = try ImageGenerator(
            composition: film.composition, videoComposition: pictures, assets: assets)
        let (dark, time) = try await own.image(at: within(25))
        #expect(time == frames(25))
        dark.withPlane(0) { #expect($0.row(54)[4 * 96] < 3) }
        let late = await #expect(throws: MediaError.self) { try await own.image(at: .seconds(1)) }
        #expect(late?.message == "The film has no frame at 1 s; it lasts 1 s.")
    }

    @Test("a film's stills and its images are the same frames")
    func stills() async throws {
        let film = try await film()
        let path = folder.file("still.png")
        try Data(try FilmStills(film).frame(at: within(22)))
            .write(to: URL(fileURLWithPath: path))
        let still = try await ImageGenerator(asset: try Asset.load(path)).image(at: .zero).image
        let image = try await ImageGenerator(film: film).image(at: within(22)).image
        #expect(FrameStrip.number(in: still) == 107 && FrameStrip.number(in: image) == 107)
    }

    // MARK: Thumbnails

    @Test("thumbnails are the middles of equal parts, of a clip those of what it shows")
    func thumbnails() async throws {
        let asset = try clip("a.mp4")
        let generator = try ImageGenerator(asset: asset)
        #expect(try await numbers(generator.thumbnails(count: 4)) == [7, 22, 37, 52])
        var timeline = Timeline()
        timeline.videos = [
            VideoItem(asset.path, end: frames(12)),
            VideoItem(asset.path, start: frames(10), end: frames(40), speed: Speed(2)),
        ]
        let builder = TimelineBuilder(timeline, assets: [asset])
        #expect(try await numbers(builder.thumbnails(of: 1, count: 3)) == [15, 25, 35])
        #expect(try await numbers(builder.thumbnails(of: 0, count: 1)) == [6])
        #expect(throws: MediaError.self) { try builder.thumbnails(of: 2, count: 1) }
        #expect(throws: MediaError.self) { try generator.thumbnails(count: 0) }
    }

    // MARK: Tasks

    @Test("many tasks ask one generator at once, and each gets its own frame")
    func concurrent() async throws {
        let generator = try ImageGenerator(asset: try clip("a.mp4"))
        try await withThrowingTaskGroup { group in
            for frame in Int64(0)..<60 {
                group.addTask {
                    let image = try await generator.image(at: within(frame)).image
                    return (frame, FrameStrip.number(in: image))
                }
            }
            for try await (frame, number) in group { #expect(number == Int(frame)) }
        }
    }

    @Test("a cancelled task gets no image, and everything asked for before a cancel is left")
    func cancelled() async throws {
        let generator = try ImageGenerator(asset: try clip("a.mp4"))
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await generator.image(at: .zero).actualTime
        }
        let error = await #expect(throws: MediaError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
        let images = generator.images(for: (0..<60).map(frames))
        var codes: [MediaError.Code?] = []
        for await element in images {
            if codes.count == 2 { generator.cancelAllImageGeneration() }
            if case .failure(_, let error) = element {
                codes.append(error.code)
            } else {
                codes.append(nil)
            }
        }
        #expect(codes == [nil, nil, nil] + Array(repeating: .cancelled, count: 57))
        #expect(try await numbers(generator.images(for: [frames(9)])) == [9])
        #expect(try await generator.image(at: frames(8)).actualTime == frames(8))
        let ended = Task {
            var count = 0
            for await _ in generator.images(for: (0..<60).map(frames)) {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        #expect(await ended.value == 1)
    }

    @Test("what cannot be is refused in words before anything is read")
    func refused() async throws {
        let asset = try clip("a.mp4")
        func message(_ change: (inout ImageGeneratorSettings) -> Void) -> String? {
            var settings = ImageGeneratorSettings()
            change(&settings)
            do throws(MediaError) {
                _ = try ImageGenerator(asset: asset, settings: settings)
                return nil
            } catch { return error.message }
        }
        #expect(message { _ in } == nil)
        #expect(message { $0.pixelFormat = .yuv420p }?.contains("yuv420p") == true)
        #expect(message { $0.requestedTimeToleranceAfter = -frames(1) }?.contains("-0.03") == true)
        #expect(
            message { $0.maximumSize = PixelSize(width: 0, height: 9) }?.contains("0x9") == true)
        var sound = GeneratedClip()
        sound.options = ["-vn"]
        try sound.write(to: folder.file("a.wav"))
        let silent = try Asset.load(folder.file("a.wav"))
        let none = #expect(throws: MediaError.self) { try ImageGenerator(asset: silent) }
        #expect(none?.code == .unsupported)
        let empty = #expect(throws: MediaError.self) {
            try ImageGenerator(composition: Composition())
        }
        #expect(empty?.message == "The film has no video.")
    }
}
