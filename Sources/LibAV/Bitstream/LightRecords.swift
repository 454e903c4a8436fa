internal import CFFmpeg
internal import Media

/// What a stream's container says of light, between our values and libavformat's records.
enum LightRecords {
    static func masteringDisplay(
        of stream: UnsafeMutablePointer<AVStream>
    ) -> MasteringDisplay? {
        guard
            let record = record(
                AV_PKT_DATA_MASTERING_DISPLAY_METADATA, of: stream,
                as: AVMasteringDisplayMetadata.self),
            record.has_primaries != 0, record.has_luminance != 0
        else { return nil }
        let colors = record.display_primaries
        func place(_ color: (AVRational, AVRational)) -> MasteringDisplay.Chromaticity {
            .init(
                x: UInt16(clamping: ticks(color.0, 50_000)),
                y: UInt16(clamping: ticks(color.1, 50_000)))
        }
        let display = MasteringDisplay(
            red: place(colors.0), green: place(colors.1), blue: place(colors.2),
            white: place(record.white_point),
            maximumLuminance: UInt32(clamping: ticks(record.max_luminance, 10_000)),
            minimumLuminance: UInt32(clamping: ticks(record.min_luminance, 10_000)))
        return display.maximumLuminance > display.minimumLuminance ? display : nil
    }

    static func contentLight(of stream: UnsafeMutablePointer<AVStream>) -> ContentLightLevel? {
        guard
            let record = record(
                AV_PKT_DATA_CONTENT_LIGHT_LEVEL, of: stream, as: AVContentLightMetadata.self),
            record.MaxCLL > 0 || record.MaxFALL > 0
        else { return nil }
        return ContentLightLevel(
            maximum: UInt16(clamping: record.MaxCLL),
            maximumFrameAverage: UInt16(clamping: record.MaxFALL))
    }

    /// Gives a stream what a format says.
    static func set(
        _ format: VideoFormat, of stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) {
        guard format.isLit else { return }
        if let display = format.masteringDisplay {
            func place(_ color: MasteringDisplay.Chromaticity) -> (AVRational, AVRational) {
                (
                    AVRational(num: Int32(color.x), den: 50_000),
                    AVRational(num: Int32(color.y), den: 50_000)
                )
            }
            func light(_ value: UInt32) -> AVRational {
                AVRational(num: Int32(clamping: value), den: 10_000)
            }
            var record = AVMasteringDisplayMetadata()
            record.display_primaries = (
                place(display.red), place(display.green), place(display.blue)
            )
            record.white_point = place(display.white)
            record.max_luminance = light(display.maximumLuminance)
            record.min_luminance = light(display.minimumLuminance)
            (record.has_primaries, record.has_luminance) = (1, 1)
            try add(record, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, to: stream)
        }
        if let light = format.contentLight {
            var record = AVContentLightMetadata()
            record.MaxCLL = UInt32(light.maximum)
            record.MaxFALL = UInt32(light.maximumFrameAverage)
            try add(record, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, to: stream)
        }
    }

    private static func ticks(_ value: AVRational, _ scale: Int64) -> Int64 {
        value.den > 0
            ? (Int64(value.num) * scale + Int64(value.den) / 2) / Int64(value.den) : 0
    }

    private static func record<Record>(
        _ kind: AVPacketSideDataType, of stream: UnsafeMutablePointer<AVStream>, as _: Record.Type
    ) -> Record? {
        var count = 0
        guard let data = av_stream_get_side_data(stream, kind, &count),
            count >= MemoryLayout<Record>.size
        else { return nil }
        return UnsafeRawPointer(data).loadUnaligned(as: Record.self)
    }

    private static func add<Record>(
        _ record: Record, _ kind: AVPacketSideDataType,
        to stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) {
        guard let data = av_stream_new_side_data(stream, kind, MemoryLayout<Record>.size) else {
            throw .memory("av_stream_new_side_data", "what it says of light", code: .encoderFailed)
        }
        UnsafeMutableRawPointer(data).storeBytes(of: record, as: Record.self)
    }
}
