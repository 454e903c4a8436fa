/// How far the header of an H.264 slice reaches (7.3.3). Slice data of arithmetic coding begins at a byte behind it,
/// so that what changes its length has to read it.
struct AVCSliceHeader {
    private enum Kind: UInt64 {
        case p, b, i, sp, si

        var isIntra: Bool { self == .i || self == .si }
    }

    private let sequence: AVCSequenceFields
    private let picture: AVCPictureFields
    private let isRefresh: Bool
    private let isReference: Bool
    private let kind: Kind
    private var isField = false
    private var lastReferences: (first: UInt64, second: UInt64)

    /// - Parameters:
    ///   - header: of the unit.
    ///   - type: `slice_type`
    /// - Returns: nil for a slice type there is not.
    init?(
        header: UInt8, type: UInt64, sequence: AVCSequenceFields, picture: AVCPictureFields
    ) {
        guard type < 10, let kind = Kind(rawValue: type % 5) else { return nil }
        (self.sequence, self.picture, self.kind) = (sequence, picture, kind)
        isRefresh = NALCodec.h264.type(header) == 5
        isReference = header >> 5 & 3 != 0
        lastReferences = picture.lastReferences
    }

    /// Reads from behind `pic_parameter_set_id` to the header's end.
    /// - Returns: false for a header that is cut or cannot be.
    mutating func skip(_ reader: inout BitReader) -> Bool {
        skipPlace(&reader)
        guard skipReferences(&reader) else { return false }
        let isWeighted = kind == .b ? picture.biprediction == 1 : picture.isWeighted
        if !kind.isIntra, isWeighted, !skipWeights(&reader) { return false }
        if isReference, !skipMarking(&reader) { return false }
        return skipQuantisers(&reader) && !reader.isExhausted
    }

    // MARK: Its parts

    /// Up to `redundant_pic_cnt`.
    private mutating func skipPlace(_ reader: inout BitReader) {
        if sequence.hasSeparatePlanes { reader.skip(2) }
        reader.skip(Int(sequence.frameNumber) + 4)
        if !sequence.isProgressive {
            isField = reader.flag()
            if isField { reader.skip(1) }
        }
        if isRefresh { _ = reader.unsigned() }  // idr_pic_id
        let hasBottom = picture.hasFieldOrder && !isField
        switch sequence.orderType {
        case 0:
            reader.skip(Int(sequence.order) + 4)
            if hasBottom { _ = reader.unsigned() }
        case 1 where !sequence.hasNoOrderDelta:
            for _ in 0..<(hasBottom ? 2 : 1) { _ = reader.unsigned() }
        default: break
        }
        if picture.hasRedundancy { _ = reader.unsigned() }
    }

    /// Up to `ref_pic_list_modification`.
    private mutating func skipReferences(_ reader: inout BitReader) -> Bool {
        if kind == .b { reader.skip(1) }
        guard !kind.isIntra else { return true }
        if reader.flag() {
            lastReferences.first = reader.unsigned()
            if kind == .b { lastReferences.second = reader.unsigned() }
            guard lastReferences.first < 32, lastReferences.second < 32 else { return false }
        }
        for _ in 0..<(kind == .b ? 2 : 1) where reader.flag() {
            guard Self.skipCommands(&reader, { $0 < 3 ? 1 : nil }, end: 3) else { return false }
        }
        return true
    }

    /// `pred_weight_table`
    private func skipWeights(_ reader: inout BitReader) -> Bool {
        let hasChroma = sequence.chroma != 0 && !sequence.hasSeparatePlanes
        guard reader.unsigned() < 8, !hasChroma || reader.unsigned() < 8 else { return false }
        let lists = [lastReferences.first, lastReferences.second].prefix(kind == .b ? 2 : 1)
        for last in lists {
            for _ in 0...last {
                if reader.flag() { _ = (reader.unsigned(), reader.unsigned()) }
                guard hasChroma, reader.flag() else { continue }
                for _ in 0..<4 { _ = reader.unsigned() }
            }
        }
        return true
    }

    /// `dec_ref_pic_marking`
    private func skipMarking(_ reader: inout BitReader) -> Bool {
        guard !isRefresh else {
            reader.skip(2)
            return true
        }
        guard reader.flag() else { return true }
        return Self.skipCommands(
            &reader, { [1: 1, 2: 1, 3: 2, 4: 1, 5: 0, 6: 1][$0] }, end: 0)
    }

    /// Commands and as many numbers as each has; nil: there is no such command.
    private static func skipCommands(
        _ reader: inout BitReader, _ numbers: (UInt64) -> Int?, end: UInt64
    ) -> Bool {
        // no more than there are fields, to be marked or to be moved, and then some
        for _ in 0..<128 {
            let command = reader.unsigned()
            if command == end { return true }
            guard let count = numbers(command), !reader.isExhausted else { return false }
            for _ in 0..<count { _ = reader.unsigned() }
        }
        return false
    }

    /// From `cabac_init_idc` on.
    private func skipQuantisers(_ reader: inout BitReader) -> Bool {
        if picture.isArithmetic, !kind.isIntra, reader.unsigned() > 2 { return false }
        guard abs(reader.signed()) < 128 else { return false }  // slice_qp_delta
        if kind == .sp { reader.skip(1) }
        if kind == .sp || kind == .si { _ = reader.unsigned() }
        if picture.hasDeblocking {
            let filter = reader.unsigned()
            guard filter < 3 else { return false }
            if filter != 1 { _ = (reader.unsigned(), reader.unsigned()) }
        }
        if let rate = picture.groupChangeRate { reader.skip(cycleBits(rate + 1)) }
        return true
    }

    /// Of `slice_group_change_cycle`: Ceil(Log2(PicSizeInMapUnits ÷ SliceGroupChangeRate + 1)).
    private func cycleBits(_ rate: UInt64) -> Int {
        let units = (sequence.last.column + 1) * (sequence.last.row + 1)
        let most = (units + rate - 1) / rate
        return UInt64.bitWidth - most.leadingZeroBitCount
    }
}
