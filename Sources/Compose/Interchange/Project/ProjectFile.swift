public import Media

/// Project files: timelines as JSON5 (`.vcap.json5`).
public enum ProjectFile {
    /// Reads a project. Media paths are relative to its folder and may not lead out of it, except into
    /// folders that are allowed. Blocks shortly; reentrant.
    /// - Throws: `invalid-project`, naming file, line and column; `no-such-file`, `not-permitted`.
    public static func read(
        _ path: String, allowing mediaFolders: [String] = []
    ) throws(MediaError) -> Timeline {
        let bytes = try FileContents.project.read(path)
        let roots = try MediaRoots(project: folder(of: path), allowing: mediaFolders)
        return try timeline(bytes, name: path, resolve: roots.resolve)
    }

    /// The project's text, with a stable form. Paths in its folder become relative to it.
    /// - Parameters:
    ///   - timeline: what is written.
    ///   - folder: where the project will lie.
    /// - Throws: `unsupported` where a transition or an effect on colours is one's own, which no key stands for.
    public static func text(
        of timeline: Timeline, in folder: String
    ) throws(MediaError) -> String {
        if let name = timeline.customTransition {
            throw MediaError(
                code: .unsupported, subject: name,
                message:
                    "\(name) is an effect of a program's own, which a project cannot hold; make it "
                    + "one of the kinds that projects know, or export the film.")
        }
        if let name = timeline.clipWithEffects {
            throw MediaError(
                code: .unsupported, subject: name,
                message:
                    "the grade of \(name) has an effect of a program's own, which a project cannot hold; "
                    + "take it out, or export the film.")
        }
        let writer = ProjectWriter(relative: relative(to: folder))
        return JSONWriter.text(ProjectTables.project.write(timeline, writer), .json5) + "\n"
    }

    /// The JSON schema of project files.
    public static var schema: String { ProjectSchema.text }

    /// Makes paths in a folder relative to it.
    static func relative(to folder: String) -> (String) -> String {
        let root = MediaRoots.canonical(folder) ?? folder
        return { path in
            path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
        }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Without the file system but what `resolve` does.
    static func timeline(
        _ bytes: [UInt8], name: String,
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) throws(MediaError) -> Timeline {
        var reader = ProjectReader(resolve: resolve)
        let timeline: Timeline
        let start: TextPosition
        do throws(JSONFailure) {
            let node = try JSONParser.parse(bytes, as: .json5)
            start = node.position
            timeline = try ProjectTables.project.read(node, &reader)
        } catch { throw MediaError(error, in: name) }
        do throws(MediaError) { try timeline.validate() } catch {
            let place = reader.places[error.subject] ?? start
            throw MediaError(
                JSONFailure(position: place, message: error.message), in: name)
        }
        return timeline
    }
}

extension FileContents {
    /// A project's: at most 16 MB.
    static let project = FileContents(
        "project", most: JSONParser.longest, refusal: .invalidProject)
}

extension MediaError {
    /// - Parameter name: the file's.
    init(_ failure: JSONFailure, in name: String) {
        self.init(
            code: .invalidProject, subject: "\(name):\(failure.position)",
            message: "\(name):\(failure.position): \(failure.message)")
    }
}
