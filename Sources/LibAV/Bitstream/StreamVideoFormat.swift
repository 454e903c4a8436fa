package import Media

/// What the parameter sets of H.264, H.265 and AV1 say of the frames besides what a decoder needs.
package struct StreamVideoFormat: Sendable, Hashable {
    /// What is not stated is unspecified, but for the range, which is then limited (H.264 and H.265, E.2.1).
    package var color = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .limited)
    /// Nil: not stated.
    package var pixelAspect: PixelAspect?
    /// Nil: not stated (H.265 alone).
    package var masteringDisplay: MasteringDisplay?
    /// Nil: not stated (H.265 alone).
    package var contentLight: ContentLightLevel?

    /// - Parameter configuration: the decoder configuration record of MP4.
    /// - Returns: nil for other codecs, and where there is no sequence parameter set.
    package init?(_ codec: VideoCodec?, _ configuration: [UInt8]) {
        var reader: BitReader
        switch codec {
        case .h264:
            guard let unit = AVCSequence.first(of: configuration) else { return nil }
            reader = BitReader(unescaping: unit.dropFirst())
            AVCSequence.skipToUsability(&reader)
        case .hevc:
            let units = StreamVideoFormat.units(configuration)
            guard let unit = units.first(where: { $0.type == 33 })?.bytes else { return nil }
            let light = LightMessages(units.filter { $0.type == 39 }.map(\.bytes))
            (masteringDisplay, contentLight) = (light.masteringDisplay, light.contentLight)
            reader = BitReader(unescaping: unit.dropFirst(2))
            HEVCSequence.skipToUsability(&reader)
        case .av1:
            guard let sequence = AV1Configuration.sequence(configuration) else { return nil }
            color = sequence.color
            return
        default: return nil
        }
        guard reader.flag() else { return }
        readUsability(&reader)
    }

    /// The beginning of the video usability information, which is alike in both (E.1.1).
    private mutating func readUsability(_ reader: inout BitReader) {
        var stated = self
        if reader.flag() {
            stated.pixelAspect = StreamVideoFormat.aspect(&reader)
        }
        if reader.flag() { reader.skip(1) }  // overscan
        if reader.flag() {
            reader.skip(3)  // video_format
            stated.color.range = reader.flag() ? .full : .limited
            if reader.flag() {
                stated.color.primaries = UInt8(reader.bits(8))
                stated.color.transfer = UInt8(reader.bits(8))
                stated.color.matrix = UInt8(reader.bits(8))
            }
        }
        if !reader.isExhausted { self = stated }
    }

    private static func aspect(_ reader: inout BitReader) -> PixelAspect? {
        let known: [(Int32, Int32)] = [
            (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
            (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
        ]
        let index = Int(reader.bits(8))
        if known.indices.contains(index - 1) {
            return PixelAspect(known[index - 1].0, known[index - 1].1)
        }
        guard index == 255 else { return nil }
        let (horizontal, vertical) = (Int32(reader.bits(16)), Int32(reader.bits(16)))
        return horizontal > 0 && vertical > 0 ? PixelAspect(horizontal, vertical) : nil
    }

    /// The units of H.265's record, as far as it is one.
    private static func units(_ record: [UInt8]) -> [(type: UInt8, bytes: ArraySlice<UInt8>)] {
        guard record.count > 23, record[0] == 1 else { return [] }
        var rest = record[23...]
        var units: [(type: UInt8, bytes: ArraySlice<UInt8>)] = []
        for _ in 0..<record[22] {
            guard rest.count >= 3 else { return units }
            let start = rest.startIndex
            let count = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            let type = rest[start] & 63
            rest = rest.dropFirst(3)
            for _ in 0..<count {
                guard let unit = AVCSequence.unit(rest) else { return units }
                units.append((type, unit))
                rest = rest.dropFirst(2 + unit.count)
            }
        }
        return units
    }
}

/// `seq_parameter_set_rbsp` (H.265, 7.3.2.2).
private enum HEVCSequence {
    /// Up to `vui_parameters_present_flag`.
    static func skipToUsability(_ reader: inout BitReader) {
        reader.skip(4)
        let layers = Int(reader.bits(3))
        reader.skip(1 + 96)
        HEVCConfiguration.skipLayers(layers, &reader)
        _ = reader.unsigned()  // sps_seq_parameter_set_id
        if reader.unsigned() == 3 { reader.skip(1) }  // chroma_format_idc
        _ = (reader.unsigned(), reader.unsigned())  // width, height
        if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }
        _ = (reader.unsigned(), reader.unsigned())  // depths
        let orderBits = Int(min(12, reader.unsigned())) + 4
        for _ in (reader.flag() ? 0 : layers)...layers {
            for _ in 0..<3 { _ = reader.unsigned() }
        }
        for _ in 0..<6 { _ = reader.unsigned() }  // block sizes and depths
        if reader.flag(), reader.flag() { skipScaling(&reader) }
        reader.skip(2)
        if reader.flag() {  // pcm_enabled_flag
            reader.skip(8)
            _ = (reader.unsigned(), reader.unsigned())
            reader.skip(1)
        }
        skipReferences(&reader)
        if reader.flag() {  // long_term_ref_pics_present_flag
            for _ in 0..<min(32, reader.unsigned()) { reader.skip(orderBits + 1) }
        }
        reader.skip(2)
    }

    private static func skipScaling(_ reader: inout BitReader) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard reader.flag() else {
                    _ = reader.unsigned()
                    continue
                }
                if size > 1 { _ = reader.signed() }
                for _ in 0..<min(64, 1 << (4 + size << 1)) { _ = reader.signed() }
            }
        }
    }

    /// `st_ref_pic_set` (7.3.7, 7.4.8): how long one is depends on those before.
    private static func skipReferences(_ reader: inout BitReader) {
        var before: [Int64] = []
        for number in 0..<min(64, reader.unsigned()) {
            if number > 0, reader.flag() {
                before = predicted(from: before, &reader)
                continue
            }
            let (negative, positive) = (min(16, reader.unsigned()), min(16, reader.unsigned()))
            before = []
            var place: Int64 = 0
            for index in 0..<(negative + positive) {
                if index == negative { place = 0 }
                let step = Int64(reader.unsigned()) + 1
                place += index < negative ? -step : step
                before.append(place)
                reader.skip(1)
            }
        }
    }

    private static func predicted(
        from before: [Int64], _ reader: inout BitReader
    ) -> [Int64] {
        let isNegative = reader.flag()
        let size = Int64(reader.unsigned()) + 1
        let shift = isNegative ? -size : size
        var places: [Int64] = []
        for place in before.map({ $0 + shift }) + [shift] {
            let isUsed = reader.flag()
            if isUsed || reader.flag(), place != 0 { places.append(place) }
        }
        return places.filter { $0 < 0 }.sorted(by: >) + places.filter { $0 > 0 }.sorted()
    }
}
