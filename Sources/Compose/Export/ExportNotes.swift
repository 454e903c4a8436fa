internal import Media
internal import Writer

extension Film {
    /// What an export with a preset conforms beyond what the film was made with.
    func conformed(by preset: ExportPreset) -> [String] {
        guard let video = preset.video, let pictures = videoComposition else { return [] }
        let own = pictures.pixelFormat.bitDepth
        let coded = video.codec.encodableFormat(for: pictures.pixelFormat).bitDepth
        let light = lightNote(pictures.color, codedBits: coded)
        guard coded < own else { return light }
        let deep = ExportPreset.all.first { other in
            other.video?.codec.encodableFormat(for: pictures.pixelFormat).bitDepth == own
        }
        let note = ConformNote(
            item: "film", kind: .depth,
            text: "its \(own) bits are brought to \(coded), because the preset \(preset.name) "
                + "codes \(video.codec.spoken)" + (deep.map { "; \($0.name) keeps them" } ?? ""))
        return [note.description] + light
    }

    /// Pictures of a high dynamic range are made for 10 bits.
    private func lightNote(_ color: ColorDescription, codedBits: Int) -> [String] {
        guard codedBits < 10, let name = color.rangeName else { return [] }
        let note = ConformNote(
            item: "film", kind: .color,
            text:
                "its pictures are \(name) and are coded with 8 bits, in which soft gradients show "
                + "steps")
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
