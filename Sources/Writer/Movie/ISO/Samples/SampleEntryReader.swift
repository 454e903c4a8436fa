internal import LibAV
package import Media

/// Reads what a track's samples are from the first entry of its `stsd`.
package enum SampleEntryReader {
    /// What an entry says.
    package struct Entry {
        package let code: FourCC
        /// Nil for codecs that vcap does not know, and for samples that are encrypted.
        package let format: FormatDescription?
        /// Which of the places for data the samples are in (`dref`, from 1).
        let dataReference: Int
        let isEncrypted: Bool
        /// The box with Dolby Vision's configuration; empty: there is none.
        let dolbyVision: [UInt8]
    }

    package static func read(
        _ description: inout BoxReader, _ mediaType: MediaType
    ) throws(MediaError) -> Entry {
        _ = try description.full()
        guard try description.u32() > 0, var entry = try description.child() else {
            throw description.damaged("it has no entry")
        }
        let code = entry.type
        var place = entry
        try place.skip(6)
        let reference = Int(try place.u16())
        let isEncrypted = encryptedCodes.contains(code)
        var format: FormatDescription?
        var dolbyVision: [UInt8] = []
        switch mediaType {
        case .video where !isEncrypted: format = try video(&entry, &dolbyVision)
        case .audio where !isEncrypted: format = try audio(&entry)
        case .text where textCodes.contains(code): format = .text(.timed)
        case .metadata where MetadataEntry.isKnown(code):
            format = MetadataEntry.read(entry).map { .metadata($0) }
        default: break
        }
        return Entry(
            code: code, format: format, dataReference: reference, isEncrypted: isEncrypted,
            dolbyVision: dolbyVision)
    }

    /// Of ISO's common encryption and of QuickTime's (ISO/IEC 14496-12, 8.12).
    private static let encryptedCodes: Set<FourCC> = [
        "encv", "enca", "enct", "encs", "encm", "drmi", "drms", "drmt",
    ]

    // MARK: video

    private static func video(
        _ entry: inout BoxReader, _ dolbyVision: inout [UInt8]
    ) throws(MediaError) -> FormatDescription? {
        try entry.skip(8 + 16)
        let (width, height) = (Int(try entry.u16()), Int(try entry.u16()))
        try entry.skip(46)
        let depth = try entry.u16()
        try entry.skip(2)
        guard width > 0, height > 0 else {
            throw entry.damaged("the frame is \(width)x\(height)")
        }
        var format = VideoFormat(coding: .coded(.rawvideo), width: width, height: height)
        var codec = videoCodecs[entry.type]
        var aspect: PixelAspect?
        while var child = try entry.child() {
            switch child.type {
            case "avcC", "hvcC", "glbl", "av1C", "vpcC": format.codecConfiguration = child.rest()
            case "colr": format.color = try ColorBox(from: &child).color
            case "mdcv": format.masteringDisplay = MasteringDisplay(bytes: child.rest())
            case "clli": format.contentLight = ContentLightLevel(bytes: child.rest())
            case "dvcC", "dvvC", "dvwC":
                var box = BoxBuilder()
                box.box(child.type) { $0.raw(child.rest()) }
                dolbyVision = box.bytes
            case "clap":
                let aperture = try CleanApertureBox(from: &child).aperture
                if aperture.fits(width: width, height: height) { format.cleanAperture = aperture }
            case "fiel": format.fieldOrder = try FieldBox(from: &child).order
            case "pasp": aspect = try PixelAspectBox(from: &child).aspect
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
        complete(&format, aspect)
        return .video(format)
    }

    /// What the container leaves open, such as QuickTime's `nclc` the range, is as the stream says. Where the two
    /// disagree the container is right: it is what editors change.
    private static func complete(_ format: inout VideoFormat, _ aspect: PixelAspect?) {
        let stated = StreamVideoFormat(format.codec, format.codecConfiguration)
        format.pixelAspect = aspect ?? stated?.pixelAspect ?? .square
        if let stated {
            format.color = format.color.filled(from: stated.color)
            format.masteringDisplay = format.masteringDisplay ?? stated.masteringDisplay
            format.contentLight = format.contentLight ?? stated.contentLight
        }
        // JFIF knows no other
        if format.codec == .mjpeg, format.color.range == .unspecified { format.color.range = .full }
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
    ) throws(MediaError) -> FormatDescription? {
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
    ) throws(MediaError) -> AudioCodec? {
        switch entry.type {
        case "sowt", "twos":
            // of 8 bits they are one format, signed
            return PCMCoding(
                bits: bits == 8 ? 8 : 16, isFloat: false, isBigEndian: entry.type == "twos"
            ).codec
        case "in24", "in32", "fl32":
            return PCMCoding(
                bits: entry.type == "in24" ? 24 : 32, isFloat: entry.type == "fl32",
                isBigEndian: try !isLittleEndian(&entry)
            ).codec
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

    /// What QuickTime's `enda` says of an entry that is big-endian without it, within its `wave` or beside that.
    private static func isLittleEndian(_ entry: inout BoxReader) throws(MediaError) -> Bool {
        while var child = try entry.child() {
            switch child.type {
            case "enda": return try child.u16() == 1
            case "wave":
                while var inner = try child.child() {
                    if inner.type == "enda" { return try inner.u16() == 1 }
                }
            default: break
            }
        }
        return false
    }

    private static func compressed(
        _ entry: inout BoxReader, _ format: inout AudioFormat
    ) throws(MediaError) -> AudioCodec? {
        var codec = audioCodes[entry.type]
        // the entry of 3GPP's speech codecs says what it likes (3GPP TS 26.244, 6.5)
        if codec == .amrNarrow { (format.sampleRate, format.channels) = (8000, 1) }
        if codec == .amrWide { (format.sampleRate, format.channels) = (16_000, 1) }
        while var child = try entry.child() {
            switch child.type {
            case "esds":
                codec = try stream(&child, &format)
            case "wave":
                while var inner = try child.child() {
                    if inner.type == "esds" { codec = try stream(&inner, &format) }
                    if inner.type == "alac" { readALAC(&inner, &format) }
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
            case "alac" where codec == .alac: readALAC(&child, &format)
            default: break
            }
        }
        return codec
    }

    private static let audioCodes: [FourCC: AudioCodec] = [
        ".mp3": .mp3, "alac": .alac, "ac-3": .ac3, "ec-3": .eac3, "samr": .amrNarrow,
        "sawb": .amrWide, "dtsc": .dts, "dtsh": .dts, "dtsl": .dts, "dtse": .dts,
    ]

    /// Rates above the entry's 16 bits stand here, and how long a packet is.
    private static func readALAC(_ box: inout BoxReader, _ format: inout AudioFormat) {
        let body = ALACConfiguration.body(of: box.rest())
        guard body.count == 24 else { return }
        func number(_ place: Int) -> Int {
            body[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        format.codecConfiguration = body
        format.framesPerPacket = number(0) > 0 ? number(0) : nil
        if (1...768_000).contains(number(20)) { format.sampleRate = number(20) }
    }

    private static func stream(
        _ box: inout BoxReader, _ format: inout AudioFormat
    ) throws(MediaError) -> AudioCodec? {
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
        case 0xA5: return .ac3
        case 0xA6: return .eac3
        case 0xA9: return .dts
        case 0xAD: return .opus
        default: return nil
        }
    }
}

extension TextFormat {
    fileprivate static let timed = TextFormat(coding: .coded(.movText))
}
