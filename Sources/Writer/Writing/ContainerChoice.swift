internal import Glibc
internal import LibAV
internal import Media

/// Which container writer a movie gets, and how its file is removed again.
struct ContainerChoice: Sendable {
    typealias FailureHandler = @Sendable (WriterError) -> Void

    /// Creates the file; runs on the writing thread, which alone uses the container.
    let make:
        @Sendable (_ onFailure: @escaping FailureHandler) throws(WriterError)
            -> any ContainerWriter
    /// Removes the file that `make` created.
    let remove: @Sendable () -> Void

    init(
        make:
            @escaping @Sendable (_ onFailure: @escaping FailureHandler) throws(WriterError)
            -> any ContainerWriter,
        remove: @escaping @Sendable () -> Void
    ) {
        self.make = make
        self.remove = remove
    }

    init(for configuration: AssetWriterConfiguration) {
        make = { onFailure throws(WriterError) in
            var container = try Self.container(configuration, onFailure)
            let copies = configuration.copiedTracks
            if !copies.isEmpty {
                do throws(WriterError) {
                    container = try CopyFeed(container, copies, in: configuration.container)
                } catch {
                    container.abandon()
                    unlink(configuration.outputPath)
                    throw error
                }
            }
            let texts = configuration.textTracks
            return texts.isEmpty
                ? container : TextFeed(container, texts, in: configuration.container)
        }
        remove = { unlink(configuration.outputPath) }
    }

    private static func container(
        _ configuration: AssetWriterConfiguration, _ onFailure: @escaping FailureHandler
    ) throws(WriterError) -> any ContainerWriter {
        switch configuration.container {
        case .mp4: try movie(.mp4, configuration, onFailure)
        case .mov: try movie(.mov, configuration, onFailure)
        case .matroska: try libav(.matroska, configuration, onFailure)
        case .webm: try libav(.webm, configuration, onFailure)
        case .mpegTS: try libav(.mpegTS, configuration, onFailure)
        }
    }

    private static func movie(
        _ container: MovieContainer, _ configuration: AssetWriterConfiguration,
        _ onFailure: @escaping FailureHandler
    ) throws(WriterError) -> any ContainerWriter {
        let file = try file(configuration, MovieFileWriter.gapHeader, onFailure)
        let options = MovieFileWriter.Options(fragmentInterval: configuration.fragmentInterval)
        return MovieFileWriter(file: file, container: container, options: options)
    }

    private static func libav(
        _ container: MuxerContainer, _ configuration: AssetWriterConfiguration,
        _ onFailure: @escaping FailureHandler
    ) throws(WriterError) -> any ContainerWriter {
        try LibAVContainerWriter(
            file: try file(configuration, nil, onFailure), container: container,
            fragmentInterval: configuration.fragmentInterval)
    }

    private static func file(
        _ configuration: AssetWriterConfiguration, _ gapHeader: DurableFile.GapHeader?,
        _ onFailure: @escaping FailureHandler
    ) throws(WriterError) -> DurableFile {
        try DurableFile(
            creating: configuration.outputPath,
            existing: configuration.overwrites ? .replace : .refuse,
            policy: configuration.syncPolicy, gapHeader: gapHeader, onFailure: onFailure)
    }
}
