import Media
import Reading
import TestSupport
import Testing

@testable import Compose

/// Random edits against a model so plain that it is obviously right: a list with one entry for every
/// cell of the timeline, saying what the cell shows.
@Suite struct RandomEditTests {
    /// What one cell shows: a source and the cell of it; nil: nothing.
    private struct Cell: Equatable {
        let path: String
        let cell: Int64
    }

    /// A cell is 1001/30000 s: not a whole number of anything but ticks.
    private static let cell = MediaTime(value: 1001, timescale: 30_000)
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 60, timescale: 90_000),
        SampleAsset.clip("b.mp4", seconds: 60, timescale: 15_360),
        SampleAsset.clip("c.mkv", seconds: 60, timescale: 1000),
    ]

    @Test(arguments: UInt64(1)...20)
    func afterAnyEditsEveryCellShowsWhatTheModelSays(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var composition = Composition()
        composition.addTrack(.video)
        composition.addTrack(.video)
        var models: [[Cell?]] = [[], []]
        for _ in 0..<40 {
            let track = Int.random(in: 0...1, using: &random)
            let start = Int64.random(in: 0...Int64(models[track].count + 3), using: &random)
            let length = Int64.random(in: 1...30, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let asset = assets[Int.random(in: 0..<3, using: &random)]
                let first = Int64.random(in: 0...1000, using: &random)
                try composition.insert(
                    range(first, length), of: asset, track: asset.tracks[0], at: time(start),
                    into: track + 1)
                let cells = (first..<first + length).map { Cell(path: asset.path, cell: $0) }
                insert(cells, into: &models[track], at: start)
            case 2:
                try composition.insertEmpty(range(start, length), into: track + 1)
                insert(.init(repeating: nil, count: Int(length)), into: &models[track], at: start)
            case 3:
                try composition.remove(range(start, length), from: track + 1)
                remove(start, length, from: &models[track])
            case 4:
                try composition.reverse(range(start, length), of: track + 1)
                reverse(start, length, of: &models[track])
            default:
                try composition.remove(range(start, length))
                for index in 0...1 { remove(start, length, from: &models[index]) }
            }
        }
        for (track, model) in zip(composition.tracks, models) { check(track, model) }
        let longest = models.map { Int64($0.count) }.max() ?? 0
        #expect(composition.duration == time(longest))
    }

    @Test(arguments: UInt64(100)...119)
    func aChangeOfSpeedShiftsNothingButWhatComesAfterIt(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var composition = Composition()
        composition.addTrack(.video)
        for index in 0..<6 {
            let asset = assets[index % 3]
            try composition.insert(
                range(Int64.random(in: 0...900, using: &random), 90), of: asset,
                track: asset.tracks[0], at: time(Int64(index) * 90), into: 1)
        }
        for _ in 0..<4 {
            let before = composition.tracks[0]
            let total = before.endTick
            let start = Int64.random(in: 0..<total - 10_000_000, using: &random)
            let length = Int64.random(in: 10_000_000...(total - start), using: &random)
            let new = length * Int64.random(in: 1...9, using: &random) / 5 + 7_000_000
            try composition.scale(
                MediaTimeRange(start: .timeline(start), duration: .timeline(length)),
                toDuration: .timeline(new))
            let after = composition.tracks[0]
            #expect(after.endTick == total - length + new)
            for _ in 0..<200 {
                let tick = Int64.random(in: 0..<total, using: &random)
                let inside = tick >= start && tick < start + length
                let moved = tick < start ? tick : tick - length + new
                let scaled = Int128(tick - start) * Int128(new) / Int128(length)
                let there = inside ? start + Int64(scaled) : moved
                let (old, now) = (shown(before, tick), shown(after, there))
                // outside the span what a cut can make; inside, two ticks at the speed they run at
                let speed = after.segment(at: .timeline(there))?.approximateSpeed ?? 0
                let bound = inside ? 3e-9 * (1 + speed) : 3e-9
                #expect((old - now).magnitude <= bound, "\(tick): \(old) became \(now)")
            }
        }
    }

    /// The source instant a track shows at a tick (seconds).
    private func shown(_ track: CompositionTrack, _ tick: Int64) -> Double {
        guard let segment = track.segment(at: .timeline(tick)) else { return -1 }
        let (source, target) = (segment.mapping.source, segment.mapping.target)
        let speed = source.duration.approximateSeconds / target.duration.approximateSeconds
        let into = Double(tick - target.start.value) / 705_600_000
        return source.start.approximateSeconds + into * speed
    }

    private func check(_ track: CompositionTrack, _ model: [Cell?]) {
        #expect(track.duration == time(Int64(model.count)))
        for (index, cell) in model.enumerated() {
            let instant = time(Int64(index))
            let segment = track.segment(at: instant)
            #expect(segment?.source?.path == cell?.path)
            guard let cell, let segment else { continue }
            let middle = MediaTime(value: 1001 * (2 * Int64(index) + 1), timescale: 60_000)
            let shown = segment.sourceTime(at: middle, timescale: 60_000, rounding: .nearest)
            #expect(shown == MediaTime(value: 1001 * (2 * cell.cell + 1), timescale: 60_000))
            let first = segment.sourceTime(at: instant, timescale: 30_000, rounding: .nearest)
            #expect(first == time(cell.cell + (segment.isReversed ? 1 : 0)))
        }
        for (segment, next) in zip(track.segments, track.segments.dropFirst()) {
            #expect(segment.timeRange.end == next.timeRange.start)
            #expect(!segment.isEmpty || !next.isEmpty, "neighbouring holes are one")
        }
    }

    private func insert(_ cells: [Cell?], into model: inout [Cell?], at start: Int64) {
        while model.count < start { model.append(nil) }
        model.insert(contentsOf: cells, at: Int(start))
    }

    private func remove(_ start: Int64, _ length: Int64, from model: inout [Cell?]) {
        let from = min(Int(start), model.count)
        model.removeSubrange(from..<min(from + Int(length), model.count))
    }

    private func reverse(_ start: Int64, _ length: Int64, of model: inout [Cell?]) {
        guard start < model.count else {
            if start + length > model.count { pad(&model, to: start + length) }
            return
        }
        pad(&model, to: start + length)
        model[Int(start)..<Int(start + length)].reverse()
    }

    private func pad(_ model: inout [Cell?], to count: Int64) {
        while model.count < count { model.append(nil) }
    }

    private func time(_ cells: Int64) -> MediaTime { Self.cell * cells }

    private func range(_ start: Int64, _ length: Int64) -> MediaTimeRange {
        MediaTimeRange(start: time(start), duration: time(length))
    }
}
