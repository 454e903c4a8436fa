internal import LibAV
internal import Media

/// What happens to a camera's pictures on the way to one listener, through changes of the camera's format.
/// Used by one thread at a time.
struct FramePath {
    private let wish: FrameConversion.Wish
    private var conversion: FrameConversion
    private let rate: FrameRate?
    private var divisor = 1
    /// Thins pictures that cannot be left out before they are decoded.
    private var thinner: FrameThinner?

    init(
        from input: VideoFormat, to wish: FrameConversion.Wish, rate: FrameRate?, subject: String
    ) throws(MediaError) {
        self.wish = wish
        self.rate = rate
        do throws(MediaError) {
            conversion = try FrameConversion(from: input, to: wish)
        } catch {
            throw error.describing(
                code: .unsupportedFormat, subject: subject,
                message: "Cannot convert the pictures of \(subject): \(error.message)")
        }
        guard let rate, conversion.isPredicted else { return }
        guard wish.format != nil else {
            throw MediaError(
                code: .invalidSetting, subject: subject,
                message: "\(subject)'s own pictures build on each other and cannot be thinned "
                    + "to \(rate) frames a second: want a raw format, or leave the rate out.")
        }
        thinner = FrameThinner(rate)
    }

    /// From now on one of so many pictures passes, of those that pass otherwise.
    mutating func thin(by divisor: Int) {
        guard conversion.isPredicted, wish.format != nil, divisor != self.divisor else { return }
        self.divisor = divisor
        thinner = FrameThinner(rate, of: conversion.input.nominalRate, divisor: divisor)
    }

    /// What pictures are behind it.
    var format: VideoFormat { conversion.output }
    /// Whether the camera's pictures build on each other.
    var isPredicted: Bool { conversion.isPredicted }

    /// What the listener gets for an event of the camera.
    mutating func process(_ event: SourceEvent) -> [SourceEvent] {
        switch event {
        case .sample(let sample): return convert(sample)
        case .resumed(let time, let format):
            guard let video = format.video else { return [event] }
            if video != conversion.input,
                let fresh = try? FrameConversion(from: video, to: wish)
            {
                conversion = fresh
            }
            return [.resumed(at: time, format: .video(conversion.output))]
        case .dropped, .interrupted:
            conversion.noteLoss()
            return [event]
        case .ended: return [event]
        }
    }

    private mutating func convert(_ sample: SampleBuffer) -> [SourceEvent] {
        do throws(FrameConversion.Refusal) {
            return try conversion.convert(sample) { thinner?.passes($0) ?? true }
                .map { .sample($0) }
        } catch {
            let cause: SampleDrop.Cause = error == .exhausted ? .late : .undecodable
            return [
                .dropped(SampleDrop(cause: cause, count: 1, time: sample.presentationTime))
            ]
        }
    }
}
