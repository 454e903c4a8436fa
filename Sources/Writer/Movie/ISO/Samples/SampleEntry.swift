internal import LibAV
package import Media

/// Turns a coded format into the box that describes a track's samples (the one entry of `stsd`).
package struct SampleEntry {
    let container: MovieContainer
    /// The box with Dolby Vision's configuration; empty: none.
    private let dolbyVision: [UInt8]

    /// The whole `stsd` box.
    /// - Parameter isCameras: whether metadata may have the names that cameras' own tracks have.
    /// - Throws: `unsupported` when the container cannot carry the format.
    package static func description(
        of format: FormatDescription, in container: MovieContainer, dolbyVision: [UInt8] = [],
        isCameras: Bool = false
    ) throws(MediaError) -> [UInt8] {
        let entry = SampleEntry(container: container, dolbyVision: dolbyVision)
        var failure: MediaError?
        var builder = BoxBuilder()
        builder.box("stsd") { builder in
            builder.full(0, 0)
            builder.u32(1)
            do throws(MediaError) {
                switch format {
                case .video(let video): try entry.writeVideo(video, to: &builder)
                case .audio(let audio): try entry.writeAudio(audio, to: &builder)
                case .text(let text): try entry.writeText(text, to: &builder)
                case .metadata(let metadata):
                    try MetadataEntry.write(
                        metadata, in: container, isCameras: isCameras, to: &builder)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return builder.bytes
    }

    private func refuse(_ what: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: container.rawValue,
            message: "Cannot put \(what) into a .\(container.rawValue) file; choose another codec "
                + "or record to .mkv.")
    }

    // MARK: text

    /// White letters without a background at the bottom, centred (3GPP TS 26.245, 5.16).
    private func writeText(
        _ format: TextFormat, to builder: inout BoxBuilder
    ) throws(MediaError) {
        guard format.codec == .movText else { throw refuse(format.codec?.rawValue ?? "raw text") }
        let box = TextBox(format.frame)
        builder.box("tx3g") { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.u32(0)  // display flags
            builder.u8(1)  // centred
            builder.u8(0xFF)  // at the bottom
            builder.u32(0)  // background: none
            for side in [0, 0, box.height, box.width] { builder.u16(UInt16(clamping: side)) }
            builder.u16(0)  // style: for every character
            builder.u16(0)
            builder.u16(1)  // font
            builder.u8(0)  // plain
            builder.u8(UInt8(clamping: box.letterHeight))
            builder.u32(0xFFFF_FFFF)  // white
            builder.box("ftab") { builder in
                builder.u16(1)
                builder.u16(1)
                let name = Array("Arial".utf8)
                builder.u8(UInt8(name.count))
                builder.raw(name)
            }
        }
    }

    // MARK: video

    private func writeVideo(
        _ format: VideoFormat, to builder: inout BoxBuilder
    ) throws(MediaError) {
        guard let codec = format.codec else { throw refuse("raw frames") }
        guard (1...0xFFFF).contains(format.width), (1...0xFFFF).contains(format.height) else {
            throw refuse("frames of \(format.width)x\(format.height)")
        }
        let configuration = format.codecConfiguration
        guard OutputContainer.isDescribed(format) else {
            throw refuse("\(codec.rawValue) without its parameter sets")
        }
        switch codec {
        case .h264:
            visual("avc1", format, &builder) { $0.box("avcC") { $0.raw(configuration) } }
        case .hevc:
            visual("hvc1", format, &builder) { $0.box("hvcC") { $0.raw(configuration) } }
        case .av1 where container == .mp4:
            visual("av01", format, &builder) { $0.box("av1C") { $0.raw(configuration) } }
        case .vp9 where container == .mp4:
            visual("vp09", format, &builder) { $0.box("vpcC") { $0.raw(configuration) } }
        case .mjpeg where container == .mov:
            visual("jpeg", format, &builder) { _ in }
        case .mjpeg:
            let stream = ElementaryStreamBox(
                objectType: ElementaryStreamBox.jpeg, isAudio: false, configuration: [])
            visual("mp4v", format, &builder) { $0.append(stream) }
        case .ffv1:
            visual("FFV1", format, &builder) { builder in
                if !configuration.isEmpty { builder.box("glbl") { $0.raw(configuration) } }
            }
        case .prores:
            guard container == .mov, let kind = ProResKind(configuration) else {
                throw refuse("ProRes")
            }
            visual(
                FourCC(code: kind.code), format, depth: kind.entryDepth, &builder
            ) { _ in }
        default: throw refuse(codec.rawValue)
        }
    }

    private func visual(
        _ type: FourCC, _ format: VideoFormat, depth: UInt16 = 24, _ builder: inout BoxBuilder,
        _ configuration: (inout BoxBuilder) -> Void
    ) {
        builder.box(type) { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.zeros(16)
            builder.u16(UInt16(format.width))
            builder.u16(UInt16(format.height))
            builder.u32(0x48_0000)  // 72 dpi
            builder.u32(0x48_0000)
            builder.zeros(4)
            builder.u16(1)  // one frame a sample
            builder.zeros(32)  // the compressor's name
            builder.u16(depth)  // 32: with opacity
            builder.u16(0xFFFF)  // no colour table
            configuration(&builder)
            builder.raw(dolbyVision)
            let isKnown =
                format.color.matrix != 2 || format.color.primaries != 2
                || format.color.transfer != 2
            if isKnown {
                builder.append(ColorBox(color: format.color, isQuickTime: container == .mov))
            }
            if format.isLit, let display = format.masteringDisplay {
                builder.box("mdcv") { $0.raw(display.bytes) }
            }
            if format.isLit, let light = format.contentLight {
                builder.box("clli") { $0.raw(light.bytes) }
            }
            if let aperture = format.cleanAperture {
                builder.append(CleanApertureBox(aperture: aperture))
            }
            if let order = format.fieldOrder { builder.append(FieldBox(order: order)) }
            builder.append(PixelAspectBox(aspect: format.pixelAspect))
        }
    }

    // MARK: audio

    private func writeAudio(
        _ format: AudioFormat, to builder: inout BoxBuilder
    ) throws(MediaError) {
        guard let codec = format.codec else { throw refuse("raw audio") }
        guard (1...255).contains(format.channels), format.sampleRate > 0 else {
            throw refuse("\(format.channels) channels at \(format.sampleRate) Hz")
        }
        let configuration = format.codecConfiguration
        switch codec {
        case .aac:
            guard !configuration.isEmpty else { throw refuse("AAC without its configuration") }
            writeAAC(format, to: &builder)
        case .opus:
            guard !configuration.isEmpty else { throw refuse("Opus without its configuration") }
            sound("Opus", format, &builder) { $0.box("dOps") { $0.raw(configuration) } }
        case .flac:
            guard configuration.count == 34 else { throw refuse("FLAC without its STREAMINFO") }
            let bits = UInt16((configuration[12] & 1) << 4 | configuration[13] >> 4) + 1
            sound("fLaC", format, bits: bits, &builder) {
                $0.append(FLACSpecificBox(streamInfo: configuration))
            }
        case .alac:
            guard let depth = ALACConfiguration.depth(of: configuration) else {
                throw refuse("ALAC without its configuration")
            }
            coded("alac", format, bits: UInt16(depth), &builder) { builder in
                builder.box("alac") { builder in
                    builder.full(0, 0)
                    builder.raw(configuration)
                }
            }
        default:
            guard let pcm = PCMCoding(codec) else { throw refuse(codec.rawValue) }
            pcm.isPlain
                ? writePlainPCM(format, pcm, to: &builder) : writePCM(format, pcm, to: &builder)
        }
    }

    private func writeAAC(_ format: AudioFormat, to builder: inout BoxBuilder) {
        let stream = ElementaryStreamBox(
            objectType: ElementaryStreamBox.aac, isAudio: true,
            configuration: format.codecConfiguration)
        coded("mp4a", format, &builder) { builder in
            if container == .mov { builder.box("mp4a") { $0.u32(0) } }
            builder.append(stream)
        }
    }

    /// QuickTime reads coded audio only from version 1 with a `wave` atom.
    private func coded(
        _ type: FourCC, _ format: AudioFormat, bits: UInt16 = 16, _ builder: inout BoxBuilder,
        _ configuration: (inout BoxBuilder) -> Void
    ) {
        guard container == .mov else {
            return sound(type, format, bits: bits, &builder, configuration)
        }
        sound(type, format, bits: bits, version: 1, compression: -2, &builder) { builder in
            builder.u32(UInt32(format.framesPerPacket ?? 1024))
            builder.u32(0)
            builder.u32(0)
            builder.u32(2)
            builder.box("wave") { builder in
                builder.box("frma") { $0.code(type) }
                configuration(&builder)
                builder.box(.none) { _ in }
            }
        }
    }

    private func writePlainPCM(
        _ format: AudioFormat, _ pcm: PCMCoding, to builder: inout BoxBuilder
    ) {
        sound("sowt", format, bits: UInt16(pcm.bits), &builder) { _ in }
    }

    /// QuickTime's version 2, which says width, order and kind in the open.
    private func writePCM(
        _ format: AudioFormat, _ pcm: PCMCoding, to builder: inout BoxBuilder
    ) {
        builder.box("lpcm") { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.u16(2)
            builder.zeros(6)
            for value: UInt16 in [3, 16, 0xFFFE, 0] { builder.u16(value) }
            builder.u32(0x1_0000)
            builder.u32(72)
            builder.u64(Double(format.sampleRate).bitPattern)
            builder.u32(UInt32(format.channels))
            builder.u32(0x7F00_0000)
            builder.u32(UInt32(pcm.bits))
            builder.u32(pcm.flags)
            builder.u32(UInt32(pcm.bits / 8 * format.channels))
            builder.u32(1)
        }
    }

    private func sound(
        _ type: FourCC, _ format: AudioFormat, bits: UInt16 = 16, version: UInt16 = 0,
        compression: Int16 = 0, _ builder: inout BoxBuilder,
        _ more: (inout BoxBuilder) -> Void
    ) {
        builder.box(type) { builder in
            builder.zeros(6)
            builder.u16(1)  // data reference
            builder.u16(version)
            builder.zeros(6)
            builder.u16(UInt16(format.channels))
            builder.u16(bits)
            builder.u16(UInt16(bitPattern: compression))
            builder.u16(0)
            // 16.16: a higher rate is stated by the codec's configuration and the timescale
            builder.u32(format.sampleRate <= 0xFFFF ? UInt32(format.sampleRate) << 16 : 0)
            more(&builder)
        }
    }
}
