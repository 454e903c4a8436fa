package import Media
internal import Reading

extension Timeline {
    /// Finds what keeps its titles and subtitles from being drawn before there is a film. Blocks.
    /// - Throws: for letters that no font has, pictures and fonts that cannot be read, files that are no subtitles.
    package func checkTexts() throws(MediaError) {
        for path in fonts { try FontRegistry.register(path) }
        for item in subtitles { _ = try Asset.subtitles(item.path, [item.request]) }
        let frame = settings.renderSize ?? PixelSize(width: 1920, height: 1080)
        for title in titles {
            let layer = title.layer(
                over: MediaTimeRange(start: .zero, duration: title.duration), in: frame,
                theme: settings.theme)
            _ = try LayerRenderer(layer, renderSize: frame)
        }
    }
}
