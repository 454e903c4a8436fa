import Compose
internal import Glibc
import Media
import Reading

/// Writes a timeline as a project (`.vcap.json5`, `.otio`) instead of making a movie of it.
struct ProjectOutput: Sendable {
    static let endings = ["json5", "otio"]

    private let arguments: Arguments
    private let form: ProjectForm
    private let path: String

    /// Nil when the output's ending is no project's.
    init?(_ arguments: Arguments) throws(CommandFailure) {
        guard let output = try arguments(ExportOptions.output),
            let form = ProjectForm(path: output)
        else { return nil }
        try IdleOptions(arguments: arguments).refuseForProject(output)
        self.arguments = arguments
        self.form = form
        path = output
    }

    /// Of aligned recordings; nil when the output's ending is no project's.
    init?(aligned arguments: Arguments) throws(CommandFailure) {
        guard let output = try arguments(AlignOptions.output),
            let form = ProjectForm(path: output)
        else { return nil }
        self.arguments = arguments
        self.form = form
        path = output
    }

    /// Refuses a file that could not be written, before there is anything to write.
    /// - Parameter inputs: what is read and never written over.
    func check(_ inputs: [String]) throws(CommandFailure) { _ = try names(inputs).next() }

    private func names(_ inputs: [String]) -> OutputNames {
        OutputNames(
            OutputPath(
                replacesExisting: arguments.isOn(ExportOptions.overwrite), inputs: inputs,
                folders: .ofThisProcess, endings: Self.endings),
            path)
    }

    /// - Parameters:
    ///   - checksMedia: whether the media must be there and long enough (OpenTimelineIO always needs their lengths).
    ///   - guarded: what is read beside the timeline's files, and never written over.
    func write(
        _ timeline: Timeline, checksMedia: Bool, guarding guarded: [String]
    ) async throws -> ExitCode {
        let (file, lost) = try await self.file(
            of: timeline, checksMedia: checksMedia, guarding: guarded)
        report(file, lost)
        return .done
    }

    /// Writes it.
    /// - Parameters:
    ///   - timeline: what is written.
    ///   - checksMedia: as above.
    /// - Returns: the file, and what it cannot say.
    func file(
        of timeline: Timeline, checksMedia: Bool, guarding guarded: [String] = []
    ) async throws -> (path: String, lost: [String]) {
        var timeline = timeline.withFullPaths
        if let loudness = try arguments(ExportOptions.loudness) {
            timeline.settings.loudness = LoudnessTarget(
                integrated: loudness, truePeak: timeline.settings.loudness?.truePeak ?? -1)
        }
        var lost: [String] = []
        var film: Film?
        if checksMedia || form == .openTimeline {
            let loaded = try await FilmCommand.loaded(timeline)
            (timeline, film) = (loaded.timeline, loaded.film)
        }
        var names = names(timeline.filePaths + guarded)
        let replaces = names.replacesExisting
        let unstated = film.map { $0.warnings + $0.unreadPictures } ?? []
        for warning in unstated + outside(timeline, Self.folder(of: try names.next())) {
            Console.shared.warning(warning)
        }
        let file = try names.making { file in
            let folder = Self.folder(of: file)
            var text = try ProjectFile.text(of: timeline, in: folder)
            if form == .openTimeline, let film {
                (text, lost) = try OpenTimelineFile.text(
                    of: timeline, assets: film.assets, in: folder)
            }
            try WholeFile(file, replacesExisting: replaces).write(Array(text.utf8))
        }.path
        for loss in lost { Console.shared.warning("not carried: \(loss)") }
        return (file, lost)
    }

    private static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    }

    /// A project may not lead out of its folder unless it is allowed to when it is read.
    private func outside(_ timeline: Timeline, _ folder: String) -> [String] {
        guard let root = Timeline.fullPath(folder) else { return [] }
        let prefix = root == "/" ? root : root + "/"
        guard let path = timeline.filePaths.first(where: { !$0.hasPrefix(prefix) }) else {
            return []
        }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
        return [
            "\(path) lies outside the project's folder: reading the project needs --media-root "
                + (parent.isEmpty ? "/" : parent)
        ]
    }

    private func report(_ file: String, _ lost: [String]) {
        guard arguments.isOn(StandardOptions.json) else {
            return Console.shared.result(file + "\n")
        }
        let document = JSONValue.members([
            "schema": "vcap.project/1", "path": .string(file),
            "not_carried": .array(lost.map { .string($0) }),
        ])
        Console.shared.result(document.pretty + "\n")
    }
}

extension Timeline {
    /// Everything the timeline takes from files.
    var filePaths: [String] {
        // a sequence's pattern lies where its pictures do
        var paths =
            mediaPaths.map { ImageSequence.parse($0)?.pattern ?? $0 } + transitionImagePaths
            + titles.compactMap(\.image) + tablePaths
            + areaPicturePaths + subtitles.map(\.path) + fonts
        if case .image(let path) = watermark?.contents { paths.append(path) }
        return paths
    }

    /// The same with paths that mean the same wherever a project lies.
    var withFullPaths: Timeline {
        func full(_ path: String) -> String { Self.fullPath(path) ?? path }
        var result = self
        func full(_ clips: inout [VideoItem]) {
            for index in clips.indices {
                clips[index].changePaths(full)
                clips[index].transition = clips[index].transition.replacingImagePaths(full)
            }
        }
        full(&result.videos)
        for track in overlays.indices { full(&result.overlays[track].videos) }
        for index in music.indices { result.music[index].path = full(music[index].path) }
        for index in voiceOvers.indices {
            result.voiceOvers[index].path = full(voiceOvers[index].path)
        }
        for index in subtitles.indices {
            result.subtitles[index].path = full(subtitles[index].path)
        }
        result.fonts = fonts.map(full)
        for index in titles.indices { result.titles[index].image = titles[index].image.map(full) }
        if case .image(let path) = watermark?.contents {
            result.watermark?.contents = .image(path: full(path))
        }
        return result
    }

    /// Links followed; nil when there is no such file.
    static func fullPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension VideoItem {
    fileprivate mutating func changePaths(_ full: (String) -> String) {
        if sequence != nil, let pattern = NumberedPath(reading: path) {
            let folder = pattern.folder
            path = full(folder.isEmpty ? "." : folder) + "/" + path.dropFirst(folder.count)
        } else if generator == nil {
            path = full(path)
        }
        grade.changePaths(full)
        if let picture = mask?.area.picture { mask?.area.picture = full(picture) }
        for index in effects.indices {
            if let picture = effects[index].area.picture {
                effects[index].area.picture = full(picture)
            }
        }
        for index in keyframes.indices { keyframes[index].grade?.changePaths(full) }
    }
}

extension ColorGrade {
    fileprivate mutating func changePaths(_ full: (String) -> String) {
        inputTable = inputTable.map(full)
        table = table.map(full)
    }
}
