internal import Media
internal import Reading

/// Aligns a recording with the reference by a running clock that both have seen.
struct ClockAlignment {
    let reference: (asset: Asset, readings: [ClockReading])

    /// - Throws: `not-aligned`, saying why.
    func placement(
        of asset: Asset, _ readings: [ClockReading]
    ) throws(MediaError) -> RecordingAlignment.Placement {
        guard !reference.readings.isEmpty else {
            throw failure(asset, "no running clock was seen in \(reference.asset.path)")
        }
        guard !readings.isEmpty else {
            throw failure(asset, "no running clock was seen in \(asset.path)")
        }
        let name = Self.common(reference.readings, readings)
        guard let name else {
            throw failure(asset, "they have not seen the same running clock")
        }
        let own = try zero(of: name, in: readings, asset, asset)
        let other = try zero(of: name, in: reference.readings, reference.asset, asset)
        // a timeline holds no more, and nobody's recordings lie so far apart
        guard abs(other.time - own.time) < 1e9 else {
            throw failure(asset, "by clock \(name) they lie more than thirty years apart")
        }
        return RecordingAlignment.Placement(
            clock: other.time - own.time, uncertainty: own.uncertainty + other.uncertainty,
            measurements: min(own.count, other.count),
            lengths: (
                asset.duration.approximateSeconds, reference.asset.duration.approximateSeconds
            ))
    }

    private func zero(
        of name: String, in readings: [ClockReading], _ seen: Asset, _ asset: Asset
    ) throws(MediaError) -> ClockZero {
        switch ClockZero.outcome(readings.filter { $0.clock == name }) {
        case .found(let zero): return zero
        case .brief:
            throw failure(asset, "clock \(name) was not seen to run in \(seen.path)")
        case .contradicting(let time):
            let about = Int64((time * 10).rounded())
            throw failure(
                asset,
                "what clock \(name) shows in \(seen.path) contradicts itself from about "
                    + "\(about / 10).\(about % 10) s on: the recording was paused or cut, or the clock was "
                    + "started again")
        }
    }

    /// The clock of which both have seen the most.
    private static func common(_ one: [ClockReading], _ other: [ClockReading]) -> String? {
        func counts(_ readings: [ClockReading]) -> [String: Int] {
            readings.reduce(into: [:]) { $0[$1.clock, default: 0] += 1 }
        }
        let (left, right) = (counts(one), counts(other))
        return left.keys.filter { right[$0] != nil }
            .max {
                (min(left[$0] ?? 0, right[$0] ?? 0), $1) < (min(left[$1] ?? 0, right[$1] ?? 0), $0)
            }
    }

    private func failure(_ asset: Asset, _ reason: String) -> MediaError {
        MediaError(
            code: .notAligned, subject: asset.path,
            message:
                "Cannot align \(asset.path) with \(reference.asset.path) by a slate: \(reason)."
        )
    }
}
