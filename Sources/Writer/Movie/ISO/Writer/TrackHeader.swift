package import Media

/// What the `trak` box of a track says besides its samples.
package struct TrackHeader: Sendable {
    package var id: UInt32
    package var timescale: Int32
    package var mediaType: MediaType
    /// The whole `stsd` box.
    package var sampleDescription: [UInt8]
    package var matrix = TransformMatrix.identity
    /// Size shown (16.16 fixed point).
    package var width: UInt32 = 0
    package var height: UInt32 = 0
    /// BCP 47 (nil = undetermined).
    package var language: String?
    package var name: String?
    /// Whether players show it without being asked.
    package var isEnabled = true
    /// Whether they show it even where nobody asks for subtitles.
    package var isForced = false

    package init(
        id: UInt32, timescale: Int32, mediaType: MediaType, sampleDescription: [UInt8]
    ) {
        self.id = id
        self.timescale = timescale
        self.mediaType = mediaType
        self.sampleDescription = sampleDescription
    }

    package init(
        _ track: ContainerTrack, id: UInt32, container: MovieContainer
    ) throws(MediaError) {
        self.init(
            id: id, timescale: track.timescale, mediaType: track.format.mediaType,
            sampleDescription: try SampleEntry.description(
                of: track.format, in: container, dolbyVision: track.dolbyVision,
                isCameras: track.isCameras))
        language = track.language
        name = track.name
        isEnabled = track.isEnabled
        if let text = track.format.text {
            isForced = track.isForced
            let box = TextBox(text.frame)
            matrix.ty = Int32(clamping: box.top * Int(TransformMatrix.one))
            width = UInt32(clamping: box.width << 16)
            height = UInt32(clamping: box.height << 16)
        }
        guard let video = track.format.video else { return }
        matrix = TransformMatrix(video.orientation, width: video.width, height: video.height)
        let aspect = video.pixelAspect
        let shown = Int64(video.width) * 0x1_0000 * Int64(aspect.horizontal)
        width = UInt32(clamping: shown / Int64(aspect.vertical))
        height = UInt32(video.height) << 16
    }

    /// ISO 639-2's three letters for the language, where BCP 47's first part has three or is one
    /// of the most common twos; the exact tag goes into `elng`.
    var packedLanguage: UInt16 {
        MediaHeaderBox.packed(language: LanguageCode.threeLetters(language) ?? "und")
    }
}
