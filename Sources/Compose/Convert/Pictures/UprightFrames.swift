internal import Media

/// The pictures of a conversion as picture files have them: upright, of square pixels, blue, green, red and opacity
/// of 8 bits. Thread-bound.
final class UprightFrames {
    /// Of the pictures handed out.
    let format: VideoFormat
    private let supply: any FrameSupply
    private let fitter: TransparentFitter
    /// Nil: they stay as transparent as they are.
    private let background: BackgroundColor?

    init(_ conversion: Conversion, _ plan: PictureOutputPlan) throws(MediaError) {
        let settings = conversion.settings
        let supply = try conversion.pictures(
            of: plan.source, in: plan.range, length: plan.part.duration, size: settings.size,
            frameRate: plan.frameRate, codec: .png)
        self.supply = supply
        let natural = supply.format.uprightPixelSize
        let size = settings.size ?? natural
        let hasAlpha = plan.keepsTransparency
        background = hasAlpha ? nil : BackgroundColor(settings.background)
        // no colours are stated: pictures that do not state theirs would be taken for full range as well
        format = VideoFormat(coding: .raw(.bgra), width: size.width, height: size.height)
        fitter = TransparentFitter(
            format, fit: settings.fit, natural: settings.size == nil ? natural : nil, waiting: 2)
    }

    var damage: SourceDamage { supply.damage }

    /// What each filter did.
    var filterCounts: [FilterCounts] { (supply as? FilteredFrames)?.counts ?? [] }

    /// What filters change of the pictures besides; one sentence.
    var filterNote: String? { (supply as? FilteredFrames)?.note }

    func close() { supply.close() }

    /// The next picture with its time and length (seconds); nil at the end.
    func next() throws(MediaError) -> (PixelBuffer, MediaTime, MediaTime)? {
        while let sample = try supply.next() {
            guard let picture = sample.pixelBuffer, let own = sample.format.video else { continue }
            let made = try fitter.fitted(picture, own)
            return (
                background?.under(made) ?? made, sample.presentationTime, sample.duration ?? .zero
            )
        }
        return nil
    }
}
