internal import LibAV
internal import Media
internal import Synchronization

/// A conversion that follows the camera through changes of its format. Thread-safe, though one
/// thread at a time uses it.
final class PicturePipeline: Sendable {
    private let wanted: PixelFormat?
    private let turn: PictureTurn
    private let conversion: Mutex<PictureConversion>

    init(
        from input: VideoFormat, to wanted: PixelFormat?, turn: PictureTurn, subject: String
    ) throws(MediaError) {
        self.wanted = wanted
        self.turn = turn
        do throws(MediaError) {
            conversion = Mutex(
                try PictureConversion(from: input, to: wanted, turn: turn))
        } catch {
            throw error.telling(
                code: .unsupportedFormat, subject: subject,
                message: "Cannot convert the pictures of \(subject): \(error.message)")
        }
    }

    var format: VideoFormat { conversion.withLock { $0.output } }
    var isCostly: Bool { conversion.withLock { $0.isCostly } }

    /// What a listener is told for an event of the camera.
    func process(_ event: SourceEvent) -> [SourceEvent] {
        conversion.withLock { conversion in
            switch event {
            case .sample(let sample): return Self.convert(sample, conversion)
            case .resumed(let time, let format):
                guard let video = format.video else { return [event] }
                if video != conversion.input,
                    let fresh = try? PictureConversion(
                        from: video, to: wanted, turn: turn)
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
    }

    private static func convert(
        _ sample: SampleBuffer, _ conversion: PictureConversion
    ) -> [SourceEvent] {
        do throws(PictureConversion.Refusal) {
            return try conversion.convert(sample).map { .sample($0) }
        } catch {
            let cause: SampleDrop.Cause = error == .exhausted ? .late : .undecodable
            return [
                .dropped(SampleDrop(cause: cause, count: 1, time: sample.presentationTime))
            ]
        }
    }
}
