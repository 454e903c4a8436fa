internal import Media

/// Which container writer a movie gets.
enum ContainerChoice {
    static func factory(
        for configuration: AssetWriterConfiguration
    ) -> WritingPipeline.ContainerFactory {
        { _ throws(WriterError) in
            throw WriterError(
                code: .unsupported, subject: configuration.outputPath,
                message: "Cannot write .\(configuration.container.rawValue) files.")
        }
    }
}
