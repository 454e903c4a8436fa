internal import Media
internal import Reading
internal import Writing

/// The coded frames of a part of a track, copied and encoded ones. Thread-bound.
final class JoinedFrames {
    // immutable
    private let joint: ConversionJoint
    private let conversion: Conversion
    private let track: ConversionPlan.Track
    /// Where the part begins (movie time).
    private let start: MediaTime
    private let shelf: SourceShelf
    private let count: Int64

    // owned by the calling thread
    private let frames: SmartFrames
    private var number: Int64 = 0
    /// Of the run that is being encoded.
    private var pictures: ConversionFrames?
    private var earlierDamage = SourceDamage()

    /// - Parameter start: where the part begins (movie time).
    init(
        _ joint: ConversionJoint, of conversion: Conversion, _ track: ConversionPlan.Track,
        from start: MediaTime, coding: VideoOutputSettings
    ) throws(MediaError) {
        (self.joint, self.conversion, self.track, self.start) = (joint, conversion, track, start)
        shelf = SourceShelf([conversion.asset])
        count = joint.plan.runs.last?.frames.upperBound ?? 0
        let first = try Self.pictures(conversion, track, from: start, for: track.range.duration)
        defer { first.supply.close() }
        frames = try SmartFrames(
            joint.plan, joint.times, coding: coding, input: first.format, shelf: shelf,
            instead: "--crf 20")
    }

    /// Of the track.
    var format: VideoFormat { frames.format }

    /// When the next frame is shown; nil at the end.
    var due: MediaTime? { number < count ? joint.times.start(of: number) : nil }

    /// What the next frame brings, in decode order; nothing where the encoder keeps it.
    func next() throws(MediaError) -> [SampleBuffer] {
        defer { number += 1 }
        do throws(MediaError) {
            return try frames.samples(forFrame: number) { () throws(MediaError) in try picture() }
        } catch { throw shelf.explained(error) }
    }

    /// What could not be decoded so far.
    var damage: SourceDamage { earlierDamage + (pictures?.supply.damage ?? SourceDamage()) }

    func close() {
        earlierDamage = damage
        pictures?.supply.close()
        pictures = nil
    }

    /// That of the next frame.
    private func picture() throws(MediaError) -> PixelBuffer {
        let run = joint.plan.run(of: number)
        if pictures == nil || run?.frames.lowerBound == number {
            close()
            let begin = joint.times.start(of: number)
            let last = run.map { joint.times.start(of: $0.frames.upperBound - 1) } ?? begin
            let end = last + joint.times.duration(from: last)
            pictures = try Self.pictures(
                conversion, track, from: start + begin, for: end - begin)
        }
        guard let buffer = try pictures?.next()?.pixelBuffer else {
            throw MediaError(
                code: .damagedFile, subject: conversion.asset.path,
                message:
                    "Frames of \(conversion.asset.path) are missing where they were; convert it again."
            )
        }
        return buffer
    }

    private static func pictures(
        _ conversion: Conversion, _ track: ConversionPlan.Track, from start: MediaTime,
        for length: MediaTime
    ) throws(MediaError) -> ConversionFrames {
        try ConversionFrames(
            conversion, track, range: MediaTimeRange(start: start, duration: length), size: nil,
            frameRate: nil)
    }
}
