internal import Media

/// What every output keeps behind its lock.
struct OutputState: Sendable {
    struct Grant: Sendable {
        var origin: SourceOrigin
        var format: FormatDescription
    }

    var grant: Grant?
    var handler: (@Sendable (SourceEvent) -> Void)?
    var isEnabled = true
    /// While samples are delivered.
    var worker: OutputWorker?
    /// Before samples wait: where each may be left out by itself.
    var thinner: FrameThinner?
    /// Most frames a second, and the camera's; `nil` where none can be left out here.
    var thinning: (rate: FrameRate?, camera: FrameRate?)?
    /// Under pressure one of so many passes.
    var divisor = 1

    mutating func thin() {
        thinner = thinning.flatMap { FrameThinner($0.rate, of: $0.camera, divisor: divisor) }
    }

    func configured() -> Grant {
        guard let grant else {
            preconditionFailure("an output has no format before its session is configured")
        }
        return grant
    }

    /// Who gets the event; a disabled output passes only what is not a sample.
    func receiver(for event: SourceEvent) -> (@Sendable (SourceEvent) -> Void)? {
        switch event {
        case .sample, .dropped: isEnabled ? handler : nil
        case .interrupted, .resumed, .ended: handler
        }
    }

    /// Who takes the event on the way to the receiver; `nil` where nobody is to get it.
    mutating func taker(of event: SourceEvent) -> OutputWorker? {
        guard let worker, receiver(for: event) != nil else { return nil }
        if case .sample(let sample) = event, thinner?.passes(sample.presentationTime) == false {
            return nil
        }
        return worker
    }
}
