import Compose
internal import Glibc
import Media
import Writer

extension TakeComposition {
    /// Finds out before the take whatever would keep its film from being made and can be known: the
    /// film's name, its options, the template, the sounds and images.
    func check() async throws {
        let timeline = try await ComposedTimeline(arguments: arguments).base()
        if !timeline.videos.isEmpty { _ = try await Self.length(of: timeline) }
        for image in Self.images(of: timeline) where access(image, R_OK) != 0 {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                errno == EACCES ? .notPermitted : .noInput,
                "cannot read the image \(image) of the film after --then: \(reason)")
        }
        let film = try await FilmCommand.load(Self.standIn(for: timeline))
        let export = try FilmExport(film, title: timeline.settings.title, arguments)
        try export.settings.validate()
        if !export.showsPlan { try checkOutputs(of: export, timeline) }
    }

    /// The film without its clips, which are not there yet.
    private static func standIn(for timeline: Timeline) -> Timeline {
        var standIn = timeline
        standIn.videos = []
        standIn.titles = [TitleItem("take", duration: .seconds(86_400))]
        standIn.watermark = nil
        return standIn
    }

    private static func images(of timeline: Timeline) -> [String] {
        var images = timeline.titles.compactMap(\.image)
        if case .image(let path) = timeline.watermark?.contents { images.append(path) }
        return images
    }

    private func checkOutputs(of export: FilmExport, _ timeline: Timeline) throws {
        let wanted = export.output ?? Self.filmPath(path)
        if let sheet = export.contactSheet { try Self.checkPicture(sheet, export) }
        if export.still != nil { return try Self.checkPicture(wanted, export) }
        let isProject = try ProjectOutput(arguments) != nil
        let film = try OutputPath(
            replacesExisting: export.settings.overwrites, inputs: timeline.mediaPaths,
            folders: .ofThisProcess,
            endings: isProject ? ProjectOutput.endings : OutputPath.endings + ["m4a", "mka"]
        ).prepare(wanted)
        if isProject { return }
        if film == path {
            throw CommandFailure(
                .cannotCreate,
                "the film after --then would be written over its take \(path): give it a name of its own "
                    + "with -o behind --then compose")
        }
        if export.settings.isNetworkReady, !["mp4", "mov"].contains(OutputPath.ending(of: film)) {
            throw CommandFailure(
                .usage, "--network-ready is for .mp4 and .mov, not for \(film): leave it out")
        }
    }

    private static func checkPicture(_ path: String, _ export: FilmExport) throws {
        guard FilmStills.Form(path: path) != nil else {
            throw CommandFailure(
                .usage, "cannot tell the kind of picture of \(path) by its ending: use .png or .jpg"
            )
        }
        _ = try WholeFile(path, replacesExisting: export.settings.overwrites)
    }
}
