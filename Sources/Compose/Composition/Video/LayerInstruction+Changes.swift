internal import Media

extension LayerInstruction {
    /// Whether it does not lie still, or not in one shape.
    var isMoving: Bool {
        isShifting || crops.isChanging(\.start, \.end)
            || decorations.isChanging(\.start, \.end) || masks.isChanging(\.start, \.end)
            || shownAreas.isChanging(\.start, \.end)
    }

    /// Whether it does not lie still.
    var isShifting: Bool { transforms.isChanging(\.start, \.end) }

    /// Whether any value of it changes.
    var isTweening: Bool {
        isMoving || opacities.isChanging(\.start, \.end) || grades.isChanging(\.start, \.end)
            || effects.contains { $0.areas.isChanging(\.start, \.end) }
    }

    /// As it is at an instant, for all time.
    func still(at time: MediaTime) -> LayerInstruction {
        var result = LayerInstruction(
            trackID: trackID, transforms: [TransformRamp(transform(at: time))],
            opacities: [OpacityRamp(opacity(at: time))], fill: fill,
            decoration: decoration(at: time), grade: grade(at: time), key: key)
        result.crops = crop(at: time).map { [CropRectangleRamp($0)] } ?? []
        result.masks = mask(at: time).map { [MaskRamp($0)] } ?? []
        result.shownAreas = shownArea(at: time).map { [AreaRamp($0)] } ?? []
        result.effects = effects(at: time).map { effect in
            LayerEffect(effect.effect, areas: effect.area.map { [AreaRamp($0)] } ?? [])
        }
        return result
    }

    /// Whether its frame is shown as it is, but for where it lies and how large it is: the one place that knows all that
    /// can be done to a layer.
    var isUntouched: Bool {
        let looks = [decoration] + decorations.flatMap { [$0.start, $0.end] }
        let colors = [grade].compactMap(\.self) + grades.flatMap { [$0.start, $0.end] }
        return crops.isEmpty && masks.isEmpty && shownAreas.isEmpty && key == nil
            && opacities.allSatisfy { $0.start == 1 && $0.end == 1 }
            && looks.allSatisfy(\.isEmpty) && colors.allSatisfy(\.isEmpty)
            && effects.allSatisfy { effect in
                !effect.areas.isEmpty
                    && effect.areas.allSatisfy { $0.start.isNothing && $0.end.isNothing }
            }
    }

    /// Whether its colours are on their way from one grade to another at an instant.
    func isGradeChanging(at time: MediaTime) -> Bool {
        grades.contains { $0.start != $0.end && $0.timeRange.contains(time) }
    }

    /// Without what rules outside of a span only.
    func needed(in range: MediaTimeRange) -> LayerInstruction {
        var result = self
        result.transforms = transforms.needed(in: range)
        result.opacities = opacities.needed(in: range)
        result.crops = crops.needed(in: range)
        result.decorations = decorations.needed(in: range)
        result.grades = grades.needed(in: range)
        result.masks = masks.needed(in: range)
        result.shownAreas = shownAreas.needed(in: range)
        for index in effects.indices {
            result.effects[index].areas = effects[index].areas.needed(in: range)
        }
        return result
    }

    /// A value that its ramps take part in, as straight pieces: between each two of these instants, and closer where
    /// it bends between them.
    /// - Parameters:
    ///   - range: on the timeline.
    ///   - ramps: that bend it.
    ///   - value: at an instant, and at a share of the range (0…1).
    func pieces<Value: Rampable>(
        over range: MediaTimeRange, _ ramps: [MediaTimeRange],
        _ value: (MediaTime, Double) -> Value
    ) -> [(MediaTimeRange, Value, Value)] {
        let (start, length) = (range.start.timelineTicks, range.duration.timelineTicks)
        let bends = ramps.flatMap {
            [$0.start.timelineTicks - start, $0.end.timelineTicks - start]
        }
        // a transition knows no frames; a 256th part of one is less than any that is seen
        let pieces = RampSampler(step: max(1, length / 256)).pieces(bends.within(length)) {
            tick, isBefore in
            // what a ramp comes to from before is what it is a billionth of a second earlier
            let instant = isBefore && tick > 0 ? tick - 1 : tick
            return value(.timeline(start + instant), Double(tick) / Double(length))
        }
        return pieces.map { ($0.range(from: start), $0.from, $0.to) }
    }
}

extension Array where Element: Ramp {
    fileprivate func isChanging<Value: Equatable>(
        _ start: KeyPath<Element, Value>, _ end: KeyPath<Element, Value>
    ) -> Bool {
        guard let first = self.first else { return false }
        // one without a length is its end
        let value = first[keyPath: first.timeRange.isEmpty ? end : start]
        return contains {
            $0[keyPath: end] != value || (!$0.timeRange.isEmpty && $0[keyPath: start] != value)
        }
    }

    /// The ramps that rule within a span: the last one that began before it, and those that begin in it.
    fileprivate func needed(in range: MediaTimeRange) -> [Element] {
        let first = Swift.max(0, partitioningIndex { $0.timeRange.start > range.start } - 1)
        let end = partitioningIndex { $0.timeRange.start >= range.end }
        return first < end ? Array(self[first..<end]) : Array(prefix(1))
    }
}
