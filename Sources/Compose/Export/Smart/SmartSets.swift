internal import LibAV
internal import Media

/// The parameter sets of everything that is in one track: those of the first as they are, those of the others with numbers
/// that are free, where theirs are taken. Two of the same records are equal.
struct SmartSets {
    let codec: VideoCodec
    /// In the order of their coming.
    private(set) var records: [[UInt8]] = []
    private(set) var all: ParameterSets?
    /// The sets of each record, as its samples name them.
    private var named: [ParameterSets] = []
    /// How samples become those of the track, for each record; nil: with the numbers they have.
    private var changes: [Renumbering?] = []

    init(_ codec: VideoCodec) { self.codec = codec }

    /// Takes a track's sets in.
    /// - Parameter isLast: whether none follow.
    /// - Returns: which of the records they are; nil where they find no place beside the others.
    mutating func add(_ record: [UInt8], isLast: Bool = false) -> Int? {
        if let known = records.firstIndex(of: record) { return known }
        guard let sets = ParameterSets(record: record, of: codec) else { return nil }
        var change: Renumbering?
        var joined: ParameterSets? = sets
        if let all {
            joined = all.joined(with: sets)
            if joined == nil {
                change = Renumbering(sets, besides: all)
                joined = change.flatMap { all.joined(with: $0.sets) }
            }
        }
        guard let joined, isLast || joined.hasRoom else { return nil }
        all = joined
        records.append(record)
        named.append(sets)
        changes.append(change)
        return records.count - 1
    }

    /// A sample as it stands in the track; nil where it holds what cannot be changed.
    /// - Parameter begins: whether it is the first of a copied run.
    func sample(_ block: BlockBuffer, ofRecord index: Int, begins: Bool) -> BlockBuffer? {
        if let change = changes[index] { return change.rewritten(block, begins: begins) }
        let block = named[index].withoutSets(block)
        // a clean random access would be taken to continue what is before it
        return begins && codec == .hevc ? HEVCRenumbering.begun(block) : block
    }

    /// Whether the first sample of a run is changed on its way.
    func changesSamples(ofRecord index: Int) -> Bool { changes[index] != nil || codec == .hevc }
}
