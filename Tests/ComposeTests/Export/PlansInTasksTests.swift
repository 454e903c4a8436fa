import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Test("a task loads a project, plans film and conversions, makes frames and a contact sheet")
func plansInTasks() async throws {
    let folder = try TemporaryFolder()
    var clip = NumberedClip()
    clip.frames = 30
    let asset = try await clip.write(to: folder.file("a.mp4"))
    var timeline = Timeline()
    timeline.videos = [VideoItem(asset.path)]
    let project = folder.file("film.vcap.json5")
    let text = try ProjectFile.text(of: timeline, in: folder.file(""))
    try Data(text.utf8).write(to: URL(fileURLWithPath: project))
    let read = try await Timeline(loading: project)
    #expect(read.videos.map { $0.path.hasSuffix("a.mp4") } == [true])
    await #expect {
        _ = try await Timeline(loading: folder.file("none.vcap.json5"))
    } throws: { ($0 as? MediaError)?.code == .noSuchFile }
    await #expect {
        _ = try await OpenTimelineFile.load(folder.file("none.otio"))
    } throws: { ($0 as? MediaError)?.code == .noSuchFile }

    let film = try await LoadedTimeline(loading: read).film()
    let plan = try await ExportSession(film).makePlan(for: .mp4)
    #expect(plan == (try ExportSession(film).plan(for: .mp4)))
    let conversion = ConversionSession(Conversion(asset))
    #expect(try await conversion.makePlan(for: .matroska) == (try conversion.plan(for: .matroska)))
    let pictures = try #require(PictureOutput(path: folder.file("a.gif")))
    let planned = try await conversion.makePlan(for: pictures)
    #expect(planned.losses == (try conversion.plan(for: pictures)).losses)

    let stills = FilmStills(film)
    let frame = try await stills.makeFrame(at: .milliseconds(500))
    #expect(frame == (try stills.frame(at: .milliseconds(500))))
    let sheet = try await stills.makeContactSheet(columns: 2, rows: 2, width: 256)
    #expect(sheet == (try stills.contactSheet(columns: 2, rows: 2, width: 256)))
    let still = folder.file("a.png")
    try Data(frame).write(to: URL(fileURLWithPath: still))
    let sequence = try await Conversion(
        loading: [SequencePicture(still, duration: .milliseconds(100))])
    #expect(sequence.asset.path == still)
}
