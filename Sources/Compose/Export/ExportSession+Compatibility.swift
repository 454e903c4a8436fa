public import Media
public import Movie

extension ExportSession {
    /// Kinds of file that the film can be exported to with these settings, in the order of `OutputContainer`. Reads
    /// the sources' structure on a thread of its own.
    /// - Throws: why there is none, where no kind of file would do: what is wrong with the settings or a source.
    public func compatibleContainers() async throws(MediaError) -> [OutputContainer] {
        try await NamedThread.run("vcap-plan") { () throws(MediaError) in try self.readContainers()
        }
    }

    /// As `compatibleContainers()`. Blocks.
    fileprivate func readContainers() throws(MediaError) -> [OutputContainer] {
        // what does not depend on the kind of file is reported
        let plan = try plan()
        let formats = try plan.copiedFormats(SourceShelf(film.assets))
        return OutputContainer.allCases.filter { container in
            guard !settings.preset.isPassthrough else {
                return MovieCopy.applies(to: container) && formats.allSatisfy(container.holdsCopy)
            }
            return (try? self.plan(for: container)) != nil
        }
    }
}

extension ExportPlan {
    /// What is copied, each track's first format.
    func copiedFormats(
        _ shelf: SourceShelf
    ) throws(MediaError) -> [FormatDescription] {
        var formats: [FormatDescription] = []
        for spans in [spans, audioSpans] {
            guard case .copy(let source, _) = spans.first?.work else { continue }
            let (_, track) = try shelf.track(source)
            if let format = track.format { formats.append(format) }
        }
        return formats
    }
}

extension ExportPreset {
    /// Presets of `all` with which a film can be exported, in their order. Reads the sources' structure on a thread
    /// of its own.
    /// - Parameters:
    ///   - film: what is to be exported.
    ///   - container: the kind of file; nil: any.
    public static func compatible(
        with film: Film, for container: OutputContainer? = nil
    ) async -> [ExportPreset] {
        do {
            return try await NamedThread.run("vcap-plan") { () throws(MediaError) in
                all.filter { preset in
                    let session = ExportSession(film, settings: ExportSettings(preset: preset))
                    let containers = (try? session.readContainers()) ?? []
                    return container.map(containers.contains) ?? !containers.isEmpty
                }
            }
        } catch { return [] }
    }
}
