internal import LibAV
internal import Media

/// What happens to a camera's frames on the way to one listener, through changes of the camera's format.
/// Used by one thread at a time.
struct FramePath {
    /// Raw frames; `nil`: the camera's own samples.
    private let target: FrameTarget?
    private let connection: CaptureConnection
    private var conversion: FrameConversion
    private var divisor = 1
    /// Of frames that cannot be left out before they are decoded.
    private(set) var thinning: FrameThinning?

    init(
        from input: VideoFormat, to target: FrameTarget?, by connection: CaptureConnection,
        subject: String
    ) throws(MediaError) {
        self.target = target
        self.connection = connection
        do throws(MediaError) {
            conversion = try FrameConversion(from: input, to: target, by: connection)
        } catch {
            throw error.describing(
                code: .unsupportedFormat, subject: subject,
                message: "Cannot convert the frames of \(subject): \(error.message)")
        }
        guard let rate = connection.maximumRate, conversion.isPredicted else { return }
        guard target != nil else {
            throw MediaError(
                code: .invalidSetting, subject: subject,
                message: "\(subject)'s own frames build on each other and cannot be thinned "
                    + "to \(rate) frames a second: want a raw format, or leave the rate out.")
        }
        thinning = FrameThinning(rate, of: input.nominalRate)
    }

    /// From now on one of so many frames passes, of those that pass otherwise.
    mutating func thin(by divisor: Int) {
        guard conversion.isPredicted, target != nil, divisor != self.divisor else { return }
        self.divisor = divisor
        if thinning == nil {
            thinning = FrameThinning(connection.maximumRate, of: conversion.input.nominalRate)
        }
        thinning?.thin(by: divisor)
    }

    /// What frames are behind it: of a limited rate no more than it lets pass, so that nobody misses the others.
    var format: VideoFormat {
        var format = conversion.output
        if let limit = connection.maximumRate, let rate = format.nominalRate, rate > limit {
            format.nominalRate = limit
        }
        return format
    }
    /// Whether the camera's frames build on each other.
    var isPredicted: Bool { conversion.isPredicted }

    /// What the listener gets for an event of the camera.
    mutating func process(_ event: SourceEvent) -> [SourceEvent] {
        switch event {
        case .sample(let sample): return convert(sample)
        case .resumed(let time, let format):
            guard let video = format.video else { return [event] }
            if video != conversion.input,
                let fresh = try? FrameConversion(from: video, to: target, by: connection)
            {
                conversion = fresh
            }
            return [.resumed(at: time, format: .video(self.format))]
        case .dropped, .interrupted:
            conversion.noteLoss()
            return [event]
        case .ended: return [event]
        }
    }

    private mutating func convert(_ sample: SampleBuffer) -> [SourceEvent] {
        do throws(FrameConversion.Refusal) {
            return try conversion.convert(sample) { thinning?.passes($0) ?? true }
                .map { .sample($0) }
        } catch {
            let cause: SampleDrop.Cause = error == .exhausted ? .late : .undecodable
            return [
                .dropped(SampleDrop(cause: cause, count: 1, time: sample.presentationTime))
            ]
        }
    }
}
