internal import Media

/// Which container writer a movie gets.
enum ContainerChoice {
    static func factory(
        for configuration: AssetWriterConfiguration
    ) -> WritingPipeline.ContainerFactory {
        switch configuration.container {
        case .mp4: hybrid(configuration, .mp4)
        case .mov: hybrid(configuration, .mov)
        case .matroska, .webm, .mpegTS:
            { _ throws(WriterError) in
                throw WriterError(
                    code: .unsupported, subject: configuration.outputPath,
                    message: "Cannot write .\(configuration.container.rawValue) files.")
            }
        }
    }

    private static func hybrid(
        _ configuration: AssetWriterConfiguration, _ container: MovieContainer
    ) -> WritingPipeline.ContainerFactory {
        { onFailure throws(WriterError) in
            let file = try DurableFile(
                creating: configuration.outputPath,
                existing: configuration.overwrites ? .replace : .refuse,
                policy: configuration.syncPolicy, gapHeader: MovieFileWriter.gapHeader,
                onFailure: onFailure)
            return MovieFileWriter(
                file: file, container: container,
                options: .init(fragmentInterval: configuration.fragmentInterval))
        }
    }
}
