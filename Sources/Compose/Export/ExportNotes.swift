internal import Media
internal import Writer

extension Film {
    /// What an export with a preset conforms beyond what the film was made with.
    func conformed(by preset: ExportPreset) -> [String] {
        guard let video = preset.video, let pictures = videoComposition else { return [] }
        let own = pictures.pixelFormat.bitDepth
        let coded = video.codec.encodableFormat(for: pictures.pixelFormat).bitDepth
        guard coded < own else { return [] }
        let deep = ExportPreset.all.first { other in
            other.video?.codec.encodableFormat(for: pictures.pixelFormat).bitDepth == own
        }
        let note = ConformNote(
            item: "film", kind: .depth,
            text: "its \(own) bits are brought to \(coded), because the preset \(preset.name) "
                + "codes \(video.codec.spoken)" + (deep.map { "; \($0.name) keeps them" } ?? ""))
        return [note.description]
    }
}

extension VideoCodec {
    /// For messages.
    fileprivate var spoken: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        default: rawValue
        }
    }
}
