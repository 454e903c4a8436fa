/// How many frames a sequence parameter set says are decoded ahead of being shown. Demuxers of containers without decode
/// times make them of what the first set says, and decoders hold as many frames back.
enum StatedReorder {
    /// Where the numbers stand in a set, without emulation prevention: how many frames are decoded ahead, and how many are
    /// held meanwhile, of which HEVC's does not count the one that is decoded.
    struct Place {
        var numbers: [(bits: Range<Int>, value: UInt64)] = []
    }

    /// H.264's set with at least so many (`max_num_reorder_frames`; E.1.1); as it is where it says nothing of it.
    static func stating(_ frames: Int, inAVC unit: [UInt8]) -> [UInt8] {
        stating(frames, in: unit) { bytes in
            var reader = BitReader(bytes)
            reader.skip(8)
            AVCSequence.skipToUsability(&reader)
            guard reader.flag(), AVCUsability.skipToRestriction(&reader), reader.flag() else {
                return nil
            }
            reader.skip(1)
            for _ in 0..<4 { _ = reader.unsigned() }
            var place = Place()
            place.read(&reader)
            place.read(&reader)
            return reader.isExhausted ? nil : place
        }
    }

    /// HEVC's set with at least so many (`sps_max_num_reorder_pics`; 7.3.2.2).
    static func stating(_ frames: Int, inHEVC unit: [UInt8]) -> [UInt8] {
        stating(frames, in: unit, place(inHEVC:))
    }

    /// What HEVC's set states for all of its layers; nil for one that cannot be read.
    static func frames(inHEVC unit: [UInt8]) -> Int? {
        let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
        return place(inHEVC: bytes)?.numbers.last.map { Int(clamping: $0.value) }
    }

    private static func place(inHEVC bytes: [UInt8]) -> Place? {
        var reader = BitReader(bytes)
        reader.skip(20)
        let layers = Int(reader.bits(3))
        reader.skip(1 + 96)
        HEVCConfiguration.skipLayers(layers, &reader)
        _ = reader.unsigned()
        if reader.unsigned() == 3 { reader.skip(1) }
        _ = (reader.unsigned(), reader.unsigned())
        if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }
        for _ in 0..<3 { _ = reader.unsigned() }  // depths, order
        var place = Place()
        for _ in 0..<(reader.flag() ? layers + 1 : 1) {
            place.read(&reader)
            place.read(&reader)
            _ = reader.unsigned()
        }
        return reader.isExhausted ? nil : place
    }

    private static func stating(
        _ frames: Int, in unit: [UInt8], _ find: ([UInt8]) -> Place?
    ) -> [UInt8] {
        let bytes = unit.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
        guard let place = find(bytes), let end = AVCSetRenumbering.end(of: bytes),
            place.numbers.contains(where: { $0.value < UInt64(frames) })
        else { return unit }
        var writer = BitWriter()
        var copied = 0
        for number in place.numbers {
            guard number.value < 64, number.bits.upperBound <= end else { return unit }
            writer.append(bytes, bits: copied..<number.bits.lowerBound)
            writer.append(unsigned: max(Int(number.value), frames))
            copied = number.bits.upperBound
        }
        writer.append(bytes, bits: copied..<end)
        var result: [UInt8] = []
        EmulationPrevention.append(writer.bytes, to: &result)
        return result
    }
}

extension StatedReorder.Place {
    fileprivate mutating func read(_ reader: inout BitReader) {
        let start = reader.position
        let value = reader.unsigned()
        numbers.append((start..<reader.position, value))
    }
}

/// `vui_parameters` of H.264 (E.1.1).
enum AVCUsability {
    /// Up to `bitstream_restriction_flag`.
    /// - Returns: false for what cannot be.
    static func skipToRestriction(_ reader: inout BitReader) -> Bool {
        if reader.flag(), reader.bits(8) == 255 { reader.skip(32) }  // shape of pixels
        if reader.flag() { reader.skip(1) }  // overscan
        if reader.flag() {
            reader.skip(4)
            if reader.flag() { reader.skip(24) }  // colours
        }
        if reader.flag() { _ = (reader.unsigned(), reader.unsigned()) }  // siting
        if reader.flag() { reader.skip(65) }  // timing
        var hasModel = false
        for _ in 0..<2 where reader.flag() {
            hasModel = true
            let last = reader.unsigned()
            guard last < 32 else { return false }
            reader.skip(8)
            for _ in 0...last {
                _ = (reader.unsigned(), reader.unsigned())
                reader.skip(1)
            }
            reader.skip(20)
        }
        if hasModel { reader.skip(1) }
        reader.skip(1)
        return !reader.isExhausted
    }
}
