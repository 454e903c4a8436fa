internal import LibAV
internal import Media
internal import Movie

/// The file of a movie, once it is created. Thread-safe.
final class MovieFileSlot: Sendable {
    private let slot = Lock<GrowingFile?>(nil)

    var file: GrowingFile? { slot.withLock { $0 } }

    func put(_ file: GrowingFile) { slot.withLock { $0 = file } }
}

/// Which container writer a movie gets, and how its file is removed again.
struct ContainerChoice: Sendable {
    typealias FailureHandler = @Sendable (MediaError) -> Void

    /// Creates the file; runs on the writing thread, which alone uses the container.
    let make:
        @Sendable (_ onFailure: @escaping FailureHandler) throws(MediaError)
            -> any ContainerWriter
    /// Removes the file that `make` created.
    let remove: @Sendable () -> Void
    /// What finishes a file that could not be; `nil` where nothing does.
    var repair: String?
    /// That file; empty where `make` creates none of ours.
    var slot = MovieFileSlot()

    init(
        make:
            @escaping @Sendable (_ onFailure: @escaping FailureHandler) throws(MediaError)
            -> any ContainerWriter,
        remove: @escaping @Sendable () -> Void
    ) {
        self.make = make
        self.remove = remove
    }

    init(for configuration: AssetWriterConfiguration) {
        let slot = MovieFileSlot()
        self.slot = slot
        if configuration.container.libavContainer?.isAudioFile != true {
            repair = "vcap repair \(configuration.outputPath)"
        }
        make = { onFailure throws(MediaError) in
            var container = try Self.container(configuration, slot, onFailure)
            let copies = configuration.copiedTracks
            if !copies.isEmpty {
                do throws(MediaError) {
                    container = try CopyFeed(container, copies, in: configuration.container)
                } catch {
                    container.abandon()
                    slot.file?.remove()
                    throw error
                }
            }
            let texts = configuration.textTracks
            let groups = configuration.metadataTracks
            return texts.isEmpty && groups.isEmpty
                ? container
                : TimedFeed(container, texts, metadata: groups, in: configuration.container)
        }
        remove = { slot.file?.remove() }
    }

    /// Whether the movie has the name it is to have.
    var hasName: Bool { slot.file?.hasName ?? true }

    /// The movie has begun to exist: one that it replaces goes.
    func takeName() throws(MediaError) {
        guard let file = slot.file, !file.hasName else { return }
        try file.makeDurable()
        do throws(IOFailure) { try file.takeName() } catch {
            throw MediaError(
                error, attempt: "replace \(file.path) by the new movie", subject: file.path)
        }
    }

    private static func container(
        _ configuration: AssetWriterConfiguration, _ slot: MovieFileSlot,
        _ onFailure: @escaping FailureHandler
    ) throws(MediaError) -> any ContainerWriter {
        if let kind = configuration.container.libavContainer {
            return try libav(kind, configuration, slot, onFailure)
        }
        return try movie(
            configuration.container == .mov ? .mov : .mp4, configuration, slot, onFailure)
    }

    private static func movie(
        _ container: MovieContainer, _ configuration: AssetWriterConfiguration,
        _ slot: MovieFileSlot, _ onFailure: @escaping FailureHandler
    ) throws(MediaError) -> any ContainerWriter {
        let file = try file(configuration, slot, MovieFileWriter.gapHeader, onFailure)
        let options = MovieFileWriter.Options(fragmentInterval: configuration.fragmentInterval)
        return MovieFileWriter(file: file, container: container, options: options)
    }

    private static func libav(
        _ container: MuxerContainer, _ configuration: AssetWriterConfiguration,
        _ slot: MovieFileSlot, _ onFailure: @escaping FailureHandler
    ) throws(MediaError) -> any ContainerWriter {
        try LibAVContainerWriter(
            file: try file(configuration, slot, nil, onFailure), container: container,
            fragmentInterval: configuration.fragmentInterval,
            statesLastLength: configuration.mode == .offline)
    }

    private static func file(
        _ configuration: AssetWriterConfiguration, _ slot: MovieFileSlot,
        _ gapHeader: DurableFile.GapHeader?, _ onFailure: @escaping FailureHandler
    ) throws(MediaError) -> DurableFile {
        let path = configuration.outputPath
        do throws(IOFailure) {
            let (growing, io) = try GrowingFile.create(path, replaces: configuration.overwrites)
            let file = DurableFile(
                io: io, name: path, policy: configuration.syncPolicy, gapHeader: gapHeader,
                onFailure: onFailure)
            if configuration.mode == .realTime { file.guardContent() }
            growing.fill(file)
            slot.put(growing)
            return file
        } catch {
            throw MediaError(error, attempt: "create \(path)", subject: path)
        }
    }
}
