extension RandomRow.Placed {
    /// The documented rule. Frame times are rounded to the source's ticks, so an instant between two ticks is meant to
    /// be the later one (backwards, where a frame shows until its end, the earlier one); coarse ticks are exact.
    func frame(at tick: Int64, of source: NumberedSource) -> Int {
        let scale = Fraction(Int128(source.timescale))
        let first = (start * scale).ceiling
        let stop = (end * scale).floor
        if isFrozen {
            return source.frame(
                atTick: (source.isFine ? first : (start * scale).floor) + source.late)
        }
        let instant = instant(at: tick) * scale
        guard source.isFine else {
            return source.frame(atTick: isReversed ? instant.ceiling - 1 : instant.floor)
        }
        let wanted = isReversed ? instant.floor - 1 : instant.ceiling
        // nothing that begins where the clip's part ends, and backwards nothing from before its beginning
        let within = min(max(wanted, first), max(first, stop - 1))
        return source.frame(atTick: within + source.late)
    }

    /// The same without any rounding but that of the clip's place: frames at their exact times, which show from their
    /// beginning until their end.
    /// - Parameter shift: of the instant (seconds).
    func idealFrame(at tick: Int64, of source: NumberedSource, shift: Fraction) -> Int {
        let into = Fraction(Int128(tick - range.lowerBound), Int128(RandomRow.second)) * speed
        let instant = isFrozen ? start : isReversed ? end - into : start + into
        let place = (instant + shift) * Fraction(source.rate)
        let number = isReversed && !isFrozen ? place.ceiling - 1 : place.floor
        return min(max(Int(clamping: number), 0), source.frames - 1)
    }

    /// Of the source: what it has between its start and end lies evenly on the clip's ticks.
    private func instant(at tick: Int64) -> Fraction {
        let length = Int128(range.upperBound - range.lowerBound)
        let into = Fraction(Int128(tick - range.lowerBound), length) * (end - start)
        return isReversed ? end - into : start + into
    }
}
