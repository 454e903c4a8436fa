public import Media

/// Project files: timelines as JSON5 (`.vcap.json5`).
public enum ProjectFile {
    /// Reads a project. Media paths are relative to its folder and may not lead out of it, except into
    /// folders that are allowed. Blocks shortly; reentrant.
    /// - Parameters:
    ///   - path: the project's.
    ///   - mediaFolders: where media may lie as well.
    ///   - variables: what fills the places `{name}` in its texts.
    /// - Throws: `invalid-project`, naming file, line and column; `no-such-file`, `not-permitted`;
    ///   `invalid-setting` where a variable is given that no text has a place for.
    public static func read(
        _ path: String, allowing mediaFolders: [String] = [],
        filling variables: ProjectVariables = ProjectVariables()
    ) throws(MediaError) -> Timeline {
        let bytes = try FileContents.project.read(path)
        let roots = try MediaRoots(project: folder(of: path), allowing: mediaFolders)
        return try timeline(bytes, name: path, filling: variables, resolve: roots.resolve)
    }

    /// The names of the places `{name}` in a project's texts and of its variables, each once. Blocks shortly;
    /// reentrant.
    /// - Throws: as `read(_:allowing:filling:)`.
    public static func places(in path: String) throws(MediaError) -> [String] {
        let bytes = try FileContents.project.read(path)
        do throws(JSONFailure) {
            let node = try JSONParser.parse(bytes, as: .json5)
            let asked = ProjectVariables(["": ""])
            return try ProjectFilling.fill(node, asked, keepsPlaces: true)?.places ?? []
        } catch { throw MediaError(error, in: path) }
    }

    /// What fills the places of a project: what it says itself, what is given, and `date` and `time`. Blocks shortly;
    /// reentrant.
    /// - Throws: as `read(_:allowing:filling:)`.
    public static func values(
        in path: String, filling variables: ProjectVariables = ProjectVariables()
    ) throws(MediaError) -> [String: String] {
        let bytes = try FileContents.project.read(path)
        do throws(JSONFailure) {
            return try ProjectFilling.values(
                of: try JSONParser.parse(bytes, as: .json5), variables)
        } catch { throw MediaError(error, in: path) }
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
                    "\(name) has an effect of a program's own, which a project cannot hold; "
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

    /// A value that fills nothing is a mistake.
    private static func requireUse(
        of variables: ProjectVariables, _ places: [String], _ name: String
    ) throws(MediaError) {
        guard let idle = variables.values.keys.sorted().first(where: { !places.contains($0) })
        else { return }
        let known = places.prefix(20).map { "{\($0)}" }.joined(separator: ", ")
        throw MediaError(
            code: .invalidSetting, subject: idle,
            message:
                "no text of \(name) has a place {\(idle)}; it has "
                + (known.isEmpty ? "none" : known))
    }

    /// Without the file system but what `resolve` does, and the folders of sequences of pictures.
    static func timeline(
        _ bytes: [UInt8], name: String, filling variables: ProjectVariables = ProjectVariables(),
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) throws(MediaError) -> Timeline {
        let parsed = try parsed(bytes, name: name, filling: variables, resolve: resolve)
        do throws(MediaError) { try parsed.timeline.validate() } catch {
            let place = parsed.places[error.subject] ?? parsed.start
            throw MediaError(
                JSONFailure(position: place, message: error.message), in: name)
        }
        do throws(JSONFailure) {
            try parsed.timeline.requirePictures(resolve) { parsed.places[$0] ?? parsed.start }
        } catch { throw MediaError(error, in: name) }
        return parsed.timeline
    }

    /// What is wrong with an item of a project's film, with the line and column where the project has it. Reads the
    /// project again, which blocks shortly; reentrant.
    /// - Parameters:
    ///   - error: names the item.
    ///   - path: the project's.
    ///   - mediaFolders: as it was read.
    ///   - variables: as it was read.
    /// - Returns: the same error where it is of no item, or the project can no longer be read.
    package static func locate(
        _ error: MediaError, in path: String, allowing mediaFolders: [String],
        filling variables: ProjectVariables
    ) -> MediaError {
        do throws(MediaError) {
            let bytes = try FileContents.project.read(path)
            let roots = try MediaRoots(project: folder(of: path), allowing: mediaFolders)
            let parsed = try parsed(
                bytes, name: path, filling: variables, resolve: roots.resolve)
            guard let place = parsed.places[error.subject] else { return error }
            return MediaError(JSONFailure(position: place, message: error.message), in: path)
        } catch { return error }
    }

    private static func parsed(
        _ bytes: [UInt8], name: String, filling variables: ProjectVariables,
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) throws(MediaError) -> (
        timeline: Timeline, places: [String: TextPosition], start: TextPosition
    ) {
        var reader = ProjectReader(resolve: resolve)
        let timeline: Timeline
        let start: TextPosition
        let places: [String]
        var node: JSONValue
        do throws(JSONFailure) {
            node = try JSONParser.parse(bytes, as: .json5)
            start = node.position
            places = try ProjectFilling.fill(node, variables, keepsPlaces: true)?.places ?? []
        } catch { throw MediaError(error, in: name) }
        try requireUse(of: variables, places, name)
        do throws(JSONFailure) {
            node = try ProjectFilling.fill(node, variables)?.node ?? node
            timeline = try ProjectTables.project.read(node, &reader)
        } catch { throw MediaError(error, in: name) }
        return (timeline, reader.places, start)
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
