internal import LibAV
internal import Media

/// The parameter sets of everything that is copied into one track: those of the first as they are, those of
/// the others with numbers that are free. A value; two of the same records are equal.
struct SmartSets {
    /// In the order of their coming.
    private(set) var records: [[UInt8]] = []
    private(set) var all: AVCParameterSets?
    /// How samples become those of the track, for each record; nil: as they are.
    private var changes: [AVCRenumbering?] = []

    /// Takes a track's sets in.
    /// - Returns: which of the records they are; nil where they find no place beside the others.
    mutating func add(_ record: [UInt8]) -> Int? {
        if let known = records.firstIndex(of: record) { return known }
        guard let sets = AVCParameterSets(record: record) else { return nil }
        var change: AVCRenumbering?
        if let all {
            guard let renumbered = AVCRenumbering(sets, besides: all),
                let joined = all.record(with: renumbered.sets).flatMap(AVCParameterSets.init),
                joined.freeID != nil
            else { return nil }
            (change, self.all) = (renumbered, joined)
        } else {
            guard sets.freeID != nil else { return nil }
            all = sets
        }
        records.append(record)
        changes.append(change)
        return records.count - 1
    }

    /// A sample as it stands in the track; nil where it holds what cannot be changed.
    func sample(_ block: BlockBuffer, ofRecord index: Int) -> BlockBuffer? {
        guard let change = changes[index] else { return block }
        return change.rewritten(block)
    }

    /// Whether samples are changed on their way.
    func changesSamples(ofRecord index: Int) -> Bool { changes[index] != nil }
}
