internal import LibAV
package import Media

/// Reads what a track's samples are from the first entry of its `stsd`.
package enum SampleEntryReader {
    /// The entry's code and, for codecs vcap knows, the format.
    package static func read(
        _ description: inout BoxReader, _ mediaType: MediaType
    ) throws(WriterError) -> (code: FourCC, format: FormatDescription?) {
        _ = try description.full()
        guard try description.u32() > 0, var entry = try description.child() else {
            throw description.damaged("it has no entry")
        }
        let code = entry.type
        switch mediaType {
        case .video: return (code, try video(&entry))
        case .audio: return (code, try audio(&entry))
        case .text: return (code, textCodes.contains(code) ? .text(.timed) : nil)
        }
    }

    // MARK: video

    private static func video(
        _ entry: inout BoxReader
    ) throws(WriterError) -> FormatDescription? {
        try entry.skip(8 + 16)
        let (width, height) = (Int(try entry.u16()), Int(try entry.u16()))
        try entry.skip(46)
        let depth = try entry.u16()
        try entry.skip(2)
        guard width > 0, height > 0 else {
            throw entry.damaged("the picture is \(width)x\(height)")
        }
        var format = VideoFormat(coding: .coded(.rawvideo), width: width, height: height)
        var codec = videoCodecs[entry.type]
        while var child = try entry.child() {
            switch child.type {
            case "avcC", "hvcC", "glbl", "av1C", "vpcC": format.codecConfiguration = child.rest()
            case "colr": format.color = try ColorBox(from: &child).color
            case "pasp": format.pixelAspect = try PixelAspectBox(from: &child).aspect
            case "esds":
                let stream = try ElementaryStreamBox(from: &child)
                codec = objectTypes[stream.objectType] ?? codec
                format.codecConfiguration = stream.configuration
            default: break
            }
        }
        guard let codec else { return nil }
        format.coding = .coded(codec)
        if codec == .prores {
            format.codecConfiguration =
                ProResKind(code: entry.type.code, depth: depth)
                .configuration
        }
        return .video(format)
    }

    private static let videoCodecs: [FourCC: VideoCodec] = [
        "avc1": .h264, "avc3": .h264, "hvc1": .hevc, "hev1": .hevc, "jpeg": .mjpeg,
        "mjpa": .mjpeg, "FFV1": .ffv1, "mp4v": .mpeg4, "vp08": .vp8, "vp09": .vp9, "av01": .av1,
        "apch": .prores, "apcn": .prores, "apcs": .prores, "apco": .prores, "ap4h": .prores,
        "ap4x": .prores, "png ": .png,
    ]

    private static let objectTypes: [UInt8: VideoCodec] = [
        0x20: .mpeg4, 0x60: .mpeg2video, 0x61: .mpeg2video, 0x62: .mpeg2video, 0x6C: .mjpeg,
        0x6D: .png,
    ]

    /// 3GPP's timed text and QuickTime's text, whose samples begin alike.
    private static let textCodes: Set<FourCC> = ["tx3g", "text"]

    // MARK: audio

    private static func audio(
        _ entry: inout BoxReader
    ) throws(WriterError) -> FormatDescription? {
        try entry.skip(8)
        let version = try entry.u16()
        try entry.skip(6)
        var channels = Int(try entry.u16())
        let bits = Int(try entry.u16())
        try entry.skip(4)
        var rate = Int(try entry.u32() >> 16)
        var pcm: PCMCoding?
        switch version {
        case 1: try entry.skip(16)
        case 2:
            try entry.skip(4)
            let exact = Double(bitPattern: try entry.u64())
            guard exact.isFinite, exact >= 1, exact <= 768_000 else {
                throw entry.damaged("the sample rate makes no sense")
            }
            rate = Int(exact)
            channels = Int(try entry.u32())
            try entry.skip(4)
            let width = Int(try entry.u32())
            let flags = try entry.u32()
            try entry.skip(8)
            pcm = PCMCoding(bits: width, isFloat: flags & 1 != 0, isBigEndian: flags & 2 != 0)
        default: break
        }
        guard channels <= 255 else { throw entry.damaged("it has \(channels) channels") }
        var format = AudioFormat(
            coding: .coded(.pcm16), sampleRate: rate, channels: channels)
        let codec = try audioCodec(of: &entry, bits: bits, pcm: pcm, &format)
        guard let codec else { return nil }
        format.coding = .coded(codec)
        return .audio(format)
    }

    private static func audioCodec(
        of entry: inout BoxReader, bits: Int, pcm: PCMCoding?, _ format: inout AudioFormat
    ) throws(WriterError) -> AudioCodec? {
        switch entry.type {
        case "sowt": return PCMCoding(bits: 16, isFloat: false, isBigEndian: false).codec
        case "twos": return PCMCoding(bits: 16, isFloat: false, isBigEndian: true).codec
        case "in24": return PCMCoding(bits: 24, isFloat: false, isBigEndian: true).codec
        case "lpcm": return pcm?.codec
        case "ipcm", "fpcm":
            let isFloat = entry.type == "fpcm"
            while var child = try entry.child() {
                guard child.type == "pcmC" else { continue }
                let box = try PCMConfigurationBox(from: &child)
                return PCMCoding(
                    bits: Int(box.bits), isFloat: isFloat, isBigEndian: !box.isLittleEndian
                ).codec
            }
            return nil
        default: return try compressed(&entry, &format)
        }
    }

    private static func compressed(
        _ entry: inout BoxReader, _ format: inout AudioFormat
    ) throws(WriterError) -> AudioCodec? {
        var codec: AudioCodec? = entry.type == ".mp3" ? .mp3 : entry.type == "alac" ? .alac : nil
        if entry.type == "ac-3" { codec = .ac3 }
        while var child = try entry.child() {
            switch child.type {
            case "esds":
                codec = try stream(&child, &format)
            case "wave":
                while var inner = try child.child() {
                    if inner.type == "esds" { codec = try stream(&inner, &format) }
                }
            case "dOps":
                codec = .opus
                format.codecConfiguration = child.rest()
                format.sampleRate = 48_000
            case "dfLa":
                codec = .flac
                format.codecConfiguration = try FLACSpecificBox(from: &child).streamInfo
                let info = format.codecConfiguration
                let rate = Int(info[10]) << 12 | Int(info[11]) << 4 | Int(info[12] >> 4)
                if rate > 0 { format.sampleRate = rate }
            case "alac" where codec == .alac: format.codecConfiguration = child.rest()
            default: break
            }
        }
        return codec
    }

    private static func stream(
        _ box: inout BoxReader, _ format: inout AudioFormat
    ) throws(WriterError) -> AudioCodec? {
        let stream = try ElementaryStreamBox(from: &box)
        format.codecConfiguration = stream.configuration
        switch stream.objectType {
        case 0x40, 0x66, 0x67, 0x68:
            format.framesPerPacket = 1024
            // MP4 has 2 in the entry whatever there is (ISO/IEC 14496-14, 5.6)
            let configuration = AudioSpecificConfiguration(stream.configuration)
            format.channels = configuration.channels ?? format.channels
            return .aac
        case 0x69, 0x6B: return .mp3
        case 0xAD: return .opus
        default: return nil
        }
    }
}

extension TextFormat {
    fileprivate static let timed = TextFormat(coding: .coded(.movText))
}
