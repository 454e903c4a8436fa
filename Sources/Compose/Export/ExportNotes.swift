internal import Media
internal import Writing

extension Film {
    /// What an export with a preset conforms beyond what the film was made with.
    func conformed(by preset: ExportPreset) -> [String] {
        guard let video = preset.video, let frames = videoComposition else { return [] }
        let own = frames.pixelFormat.bitDepth
        let coded = video.encodableFormat(for: frames.pixelFormat).bitDepth
        let light =
            sizeNote(frames.scaledSize, preset) + lightNote(frames.color, codedBits: coded)
        guard coded < own else { return light }
        let deep = ExportPreset.all.first { other in
            other.video?.codec.encodableFormat(for: frames.pixelFormat).bitDepth == own
        }
        let note = ConformNote(
            item: "film", kind: .depth,
            text: "its \(own) bits are brought to \(coded), because the preset \(preset.name) "
                + "codes \(video.codec.spoken)"
                + (video.profile.map { " of the profile \($0.rawValue)" } ?? "")
                + (deep.map { "; \($0.name) keeps them" } ?? ""))
        return [note.description] + light
    }

    /// A preset's size is the greatest one.
    private func sizeNote(_ size: PixelSize, _ preset: ExportPreset) -> [String] {
        guard let largest = preset.largestSize else { return [] }
        let (long, short) = (max(size.width, size.height), min(size.width, size.height))
        guard long < largest.width, short < largest.height else { return [] }
        let note = ConformNote(
            item: "film", kind: .size,
            text:
                "it stays \(size.width)x\(size.height), because the preset \(preset.name) makes films "
                + "smaller and none larger; another size can be asked for")
        return [note.description]
    }

    /// Frames of a high dynamic range are made for 10 bits.
    private func lightNote(_ color: ColorDescription, codedBits: Int) -> [String] {
        guard codedBits < 10, let name = color.rangeName else { return [] }
        let note = ConformNote(
            item: "film", kind: .color,
            text:
                "its frames are \(name) and are coded with 8 bits, in which soft gradients show "
                + "steps")
        return [note.description]
    }
}

extension VideoCodec {
    /// For messages.
    var spoken: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        default: rawValue
        }
    }
}
