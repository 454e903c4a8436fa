@testable import LibAV

/// H.264 units written by hand, with what no encoder at hand writes.
struct AVCSyntax {
    /// `separate_colour_plane_flag`
    var hasSeparatePlanes = false
    /// `pic_order_cnt_type`
    var orderType = 0
    var isProgressive = true
    var isArithmetic = true
    var hasFieldOrder = false
    var hasRedundancy = false
    var isWeighted = false
    /// `weighted_bipred_idc`
    var biprediction: UInt64 = 0
    /// `slice_group_map_type` of two groups
    var groups: Int?

    func sequence(_ id: Int) -> [UInt8] {
        var writer = BitWriter()
        for byte: UInt64 in [0x67, hasSeparatePlanes ? 244 : 100, 0, 31] {
            writer.append(byte, count: 8)
        }
        writer.append(unsigned: id)
        writer.append(unsigned: hasSeparatePlanes ? 3 : 1)
        if hasSeparatePlanes { writer.append(1, count: 1) }
        for _ in 0..<2 { writer.append(unsigned: 0) }
        writer.append(0b00, count: 2)
        writer.append(unsigned: 2)  // 6 bits of frame_num
        writer.append(unsigned: orderType)
        if orderType == 0 { writer.append(unsigned: 4) }
        if orderType == 1 {
            writer.append(0, count: 1)
            for number in [0, 0, 2, 5, 6] { writer.append(unsigned: number) }
        }
        writer.append(unsigned: 4)
        writer.append(0, count: 1)
        for number in [9, 5] { writer.append(unsigned: number) }
        writer.append(isProgressive ? 1 : 0, count: 1)
        if !isProgressive { writer.append(1, count: 1) }
        writer.append(0b1001, count: 4)  // inference, no cropping, no usability, stop
        return Self.escaped(writer.bytes)
    }

    func picture(_ id: Int, of sequence: Int) -> [UInt8] {
        var writer = BitWriter()
        writer.append(0x68, count: 8)
        writer.append(unsigned: id)
        writer.append(unsigned: sequence)
        writer.append(isArithmetic ? 1 : 0, count: 1)
        writer.append(hasFieldOrder ? 1 : 0, count: 1)
        writer.append(unsigned: groups == nil ? 0 : 1)
        if let groups { appendGroups(groups, &writer) }
        for number in [1, 2] { writer.append(unsigned: number) }
        writer.append(isWeighted ? 1 : 0, count: 1)
        writer.append(biprediction, count: 2)
        for number in [3, 4, 0] { writer.append(unsigned: number) }
        writer.append(0b10, count: 2)
        writer.append(hasRedundancy ? 1 : 0, count: 1)
        writer.append(1, count: 1)
        return Self.escaped(writer.bytes)
    }

    private func appendGroups(_ type: Int, _ writer: inout BitWriter) {
        writer.append(unsigned: type)
        switch type {
        case 0, 2: for number in [7, 20] { writer.append(unsigned: number) }
        case 3...5:
            writer.append(1, count: 1)
            writer.append(unsigned: 6)
        case 6:
            writer.append(unsigned: 59)
            for index in 0..<60 { writer.append(UInt64(index % 2), count: 1) }
        default: break
        }
    }

    var record: [UInt8] {
        var record: [UInt8] = [1, 100, 0, 31, 0xFF, 0xE1]
        AVCConfiguration.append(sequence(0)[...], to: &record)
        record.append(1)
        AVCConfiguration.append(picture(0, of: 0)[...], to: &record)
        return record
    }

    /// - Parameters:
    ///   - type: `slice_type` (0 P, 1 B, 2 I, 3 SP, 4 SI).
    ///   - id: of its picture parameter set.
    ///   - data: what follows the header.
    func slice(_ type: Int, id: Int, isRefresh: Bool = false, data: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.append(isRefresh ? 0x65 : 0x41, count: 8)
        for number in [0, type, id] { writer.append(unsigned: number) }
        appendPlace(isRefresh, &writer)
        let isIntra = type == 2 || type == 4
        if type == 1 { writer.append(1, count: 1) }
        if !isIntra { appendReferences(type, &writer) }
        if !isIntra, type == 1 ? biprediction == 1 : isWeighted {
            appendWeights(lists: type == 1 ? [3, 1] : [3], &writer)
        }
        if isRefresh {
            writer.append(0b01, count: 2)
        } else {
            writer.append(1, count: 1)
            // commands and their numbers
            for number in [1, 9, 2, 3, 3, 4, 1, 4, 2, 5, 6, 1, 0] {
                writer.append(unsigned: number)
            }
        }
        if isArithmetic, !isIntra { writer.append(unsigned: 2) }
        writer.append(unsigned: 11)
        if type == 3 { writer.append(1, count: 1) }
        if type > 2 { writer.append(unsigned: 5) }
        for number in [0, 3, 4] { writer.append(unsigned: number) }
        // 60 units by 7: 9 and a cycle of 4 bits
        if let groups, (3...5).contains(groups) { writer.append(0b1001, count: 4) }
        if isArithmetic {
            writer.align()
            writer.append(data[...])
        } else {
            writer.append(data, bits: 0..<8 * data.count)
            writer.append(1, count: 1)
        }
        return Self.escaped(writer.bytes)
    }

    private func appendPlace(_ isRefresh: Bool, _ writer: inout BitWriter) {
        if hasSeparatePlanes { writer.append(2, count: 2) }
        writer.append(0, count: 6)
        if !isProgressive { writer.append(0b11, count: 2) }
        if isRefresh { writer.append(unsigned: 300) }
        let hasBottom = hasFieldOrder && isProgressive
        if orderType == 0 {
            writer.append(0, count: 8)
            if hasBottom { writer.append(unsigned: 8) }
        } else if orderType == 1 {
            writer.append(unsigned: 40)
            if hasBottom { writer.append(unsigned: 0) }
        }
        if hasRedundancy { writer.append(unsigned: 1) }
    }

    private func appendReferences(_ type: Int, _ writer: inout BitWriter) {
        writer.append(1, count: 1)
        for number in type == 1 ? [3, 1] : [3] { writer.append(unsigned: number) }
        for _ in 0..<(type == 1 ? 2 : 1) {
            writer.append(1, count: 1)
            for number in [0, 3, 1, 7, 2, 0, 3] { writer.append(unsigned: number) }
        }
    }

    private func appendWeights(lists: [Int], _ writer: inout BitWriter) {
        writer.append(unsigned: 5)
        if !hasSeparatePlanes { writer.append(unsigned: 7) }
        for (index, last) in lists.enumerated() {
            for entry in 0...last {
                let isStated = (entry + index).isMultiple(of: 2)
                writer.append(isStated ? 1 : 0, count: 1)
                if isStated { for number in [200, 13] { writer.append(unsigned: number) } }
                if hasSeparatePlanes { continue }
                writer.append(entry > 0 ? 1 : 0, count: 1)
                if entry > 0 { for number in [1, 0, 255, 3] { writer.append(unsigned: number) } }
            }
        }
    }

    // MARK: Bytes

    /// With emulation prevention, byte by byte.
    static func escaped(_ payload: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in payload {
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            result.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return result
    }

    static func sample(_ units: [[UInt8]]) -> [UInt8] {
        units.reduce(into: []) { result, unit in
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { result += $0 }
            result += unit
        }
    }
}
