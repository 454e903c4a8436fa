public import Media
public import Reading

/// OpenTimelineIO files (`.otio`): the way to and from other programs.
public enum OpenTimelineFile {
    /// Reads a file. Paths follow the rules of `ProjectFile.read`; media that are not where they are named are looked
    /// for by their names in the project's folder and those that are allowed, and below them, and of several the one of the stated length is taken.
    /// - Returns: The timeline, and what could not be carried, one sentence each.
    /// - Throws: `invalid-project`, naming file, line and column; `no-such-file`, `not-permitted`.
    public static func read(
        _ path: String, allowing mediaFolders: [String] = []
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        let bytes = try FileContents.project.read(path)
        let roots = try MediaRoots(
            project: ProjectFile.folder(of: path), allowing: mediaFolders)
        return try timeline(
            bytes, name: path, finder: MediaFinder(below: roots.folders), resolve: roots.resolve)
    }

    /// The file's text. What OpenTimelineIO has no place for goes into metadata that vcap reads back.
    /// - Parameters:
    ///   - timeline: what is written.
    ///   - assets: what `Timeline.mediaPaths` names.
    ///   - folder: where the file will lie.
    /// - Returns: The text, and what other programs will not see, one sentence each.
    /// - Throws: `invalid-setting`, naming the item.
    public static func text(
        of timeline: Timeline, assets: [Asset], in folder: String
    ) throws(MediaError) -> (text: String, notCarried: [String]) {
        try timeline.validate()
        var writer = try OTIOWriter(
            timeline, TimelineBuilder(timeline, assets: assets),
            ProjectWriter(relative: ProjectFile.relative(to: folder)))
        let text = JSONWriter.text(writer.document(), .file) + "\n"
        return (text, writer.notCarried)
    }

    static func timeline(
        _ bytes: [UInt8], name: String, finder: MediaFinder = MediaFinder(below: []),
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        var reader = OTIOReader(finder: finder, resolve: resolve)
        let start: TextPosition
        do throws(JSONFailure) {
            let node = try JSONParser.parse(bytes, as: .json5)
            start = node.position
            try reader.read(node)
        } catch { throw MediaError(error, in: name) }
        do throws(MediaError) { try reader.timeline.validate() } catch {
            var message = error.message
            if reader.timeline.mediaPaths.isEmpty, !reader.notCarried.isEmpty {
                // what is missing is why there is nothing
                message =
                    "nothing of the timeline is left: "
                    + reader.notCarried.prefix(3).joined(separator: "; ")
            }
            throw MediaError(JSONFailure(position: start, message: message), in: name)
        }
        do throws(JSONFailure) {
            try reader.timeline.requirePictures(resolve) { _ in start }
        } catch { throw MediaError(error, in: name) }
        return (reader.timeline, reader.notCarried)
    }
}
