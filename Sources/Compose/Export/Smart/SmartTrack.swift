internal import Media

/// Frames of a film, and of what they can be copied.
struct SmartFound {
    var frames: Range<Int64>
    var reason: SmartReason?
    var source: MediaSource?
    var rank = 0
    var reorder = 0

    init(_ frames: Range<Int64>, because reason: SmartReason) {
        (self.frames, self.reason) = (frames, reason)
    }

    init(_ frames: Range<Int64>, of source: MediaSource, rank: Int, reorder: Int) {
        (self.frames, self.source, self.rank) = (frames, source, rank)
        self.reorder = reorder
    }
}

/// Makes one track of what was found: what can share it is copied, the rest is encoded.
struct SmartTrack {
    let sources: SmartSources
    /// Whether the film shows several files.
    let namesSources: Bool

    /// - Returns: nil where nothing is copied.
    func plan(_ found: [SmartFound]) throws(MediaError) -> SmartPlan? {
        let sets = sets(of: found)
        var runs: [SmartPlan.Run] = []
        var reorder = 0
        for part in found {
            guard let name = part.source, let source = sources.copied(name) else {
                runs.encode(part.frames, because: part.reason ?? .inside)
                continue
            }
            let place = source.index.places[part.rank]
            guard let record = sets.records.firstIndex(of: source.configuration),
                try source.isCopied(from: place, as: record, in: sets)
            else {
                runs.encode(part.frames, because: .crowded.of(name))
                continue
            }
            reorder = max(reorder, part.reorder)
            runs.append(
                SmartPlan.Run(
                    frames: part.frames,
                    work: .copy(
                        name, place: place, from: source.index.time(ofRank: part.rank),
                        record: record)))
        }
        guard runs.contains(where: \.isCopied) else { return nil }
        return SmartPlan(
            runs: runs, reorder: reorder, records: sets.records, namesSources: namesSources)
    }

    /// The sets of what most is copied of come first and stay as they are.
    private func sets(of found: [SmartFound]) -> SmartSets {
        var counts: [(record: [UInt8], frames: Int)] = []
        for part in found {
            guard let source = part.source.flatMap(sources.copied) else { continue }
            if let known = counts.firstIndex(where: { $0.record == source.configuration }) {
                counts[known].frames += part.frames.count
            } else {
                counts.append((source.configuration, part.frames.count))
            }
        }
        var sets = SmartSets(sources.codec)
        let order = counts.indices.sorted { (-counts[$0].frames, $0) < (-counts[$1].frames, $1) }
        for place in order { _ = sets.add(counts[place].record) }
        return sets
    }
}

extension [SmartPlan.Run] {
    /// What is encoded one after the other is one run, whatever the reasons.
    fileprivate mutating func encode(_ frames: Range<Int64>, because reason: SmartReason) {
        guard let last, case .encode(var reasons) = last.work else {
            append(SmartPlan.Run(frames: frames, work: .encode(because: [reason])))
            return
        }
        if !reasons.contains(reason) { reasons.append(reason) }
        self[count - 1] = SmartPlan.Run(
            frames: last.frames.lowerBound..<frames.upperBound, work: .encode(because: reasons))
    }
}
