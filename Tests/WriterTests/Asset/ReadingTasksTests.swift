import Media
import Movie
import Reading
import Recording
import TestSupport
import Testing
import Writing

@Suite("What blocks, for tasks")
struct ReadingTasksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func take(_ name: String, pictures: Int = 10) async throws -> String {
        let path = folder.file(name)
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 64, height: 48, nominalRate: FrameRate(25))
        let receiver = try writer.pixelBufferReceiver(
            for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: format)
        try await writer.startWriting()
        #expect(throws: MediaError.self) { try writer.start() }
        try writer.startSession(atSourceTime: .zero)
        for index in 0..<pictures {
            try await receiver.append(
                await receiver.pool.nextBuffer(), at: MediaTime(value: Int64(index), timescale: 25))
        }
        try writer.endSession(atSourceTime: MediaTime(value: Int64(pictures), timescale: 25))
        _ = try await writer.finish()
        return path
    }

    @Test("a task opens a reader, takes single samples and cancels")
    func singleSamples() async throws {
        let asset = try await Asset(loading: try await take("a.mp4"))
        let output = try AssetReaderTrackOutput(
            asset: asset, track: asset.tracks[0], settings: .frames(.yuv420p))
        let reader = AssetReader()
        try reader.add(output)
        await #expect(throws: MediaError.self) { _ = try await output.nextSample() }
        try await reader.startReading()
        let times = [try await output.nextSample(), try await output.nextSample()]
            .map { $0?.presentationTime.milliseconds }
        #expect(times == [0, 40])
        await reader.cancelReading()
        guard case .cancelled = reader.status else {
            Issue.record("the reader is \(reader.status)")
            return
        }
    }

    @Test("a task repairs a movie and learns that there was nothing to do")
    func repairs() async throws {
        let path = try await take("a.mp4")
        let report = try await RepairReport(repairing: path)
        #expect(report.outcome == .alreadyOrdinary && report.sampleCounts == [10])
        await #expect {
            _ = try await RepairReport(repairing: folder.file("none.mp4"))
        } throws: { ($0 as? MediaError)?.code == .noSuchFile }
        #expect(try await TakeReport(closingReportOf: path) == nil)
        #expect(try await TakeReport(closingReportOfEmpty: path) == nil)
    }

    @Test("a task finds the film in a photo and takes the photo out")
    func livePhotos() async throws {
        let builder = LivePhotoBuilder(folder: folder)
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count])))
        let path = try builder.write(photo + movie, "PXL_1.MP.jpg")
        let live = try #require(try await LivePhoto(finding: path))
        #expect(live.dialect == .motionPhoto)
        #expect(try await live.loadPhoto() == (try live.photo()))
        #expect(try await LivePhoto.loadPhoto(of: path) == (try live.photo()))
        #expect(try await LivePhoto(finding: try await take("plain.mp4")) == nil)
        await #expect {
            _ = try await LivePhoto(pairing: path, with: folder.file("plain.mp4"))
        } throws: { ($0 as? MediaError)?.code == .unsupported }
    }
}

extension MediaTime {
    fileprivate var milliseconds: Int64 { scaled(to: 1000, rounding: .nearest).value }
}
