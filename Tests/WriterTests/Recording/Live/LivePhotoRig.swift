import LibAV
import Media
import Movie
import TestSupport
import Testing

@testable import Recording

/// A camera and a microphone that live photos are made of, in no time: numbered frames with flashes, and beeps.
struct LivePhotoRig {
    var take = SyntheticTake()
    /// Whether a block of audio is delivered, by its first frame.
    var hears: (Int) -> Bool = { _ in true }
    var sees: (Int) -> Bool = { _ in true }
    var hasMicrophone = true
    /// How much later the audio is delivered than the frames (ms).
    var audioLatency = 0

    /// What shots ended with.
    final class Answers: Sendable {
        let list = Lock<[Int: Result<LivePhotoMovie, MediaError>]>([:])
        func movies() throws -> [Int: LivePhotoMovie] {
            try list.withLock { $0 }.mapValues { try $0.get() }
        }
    }

    /// Moments on the take's clock (ns since its start) to their movies.
    /// - Parameter shots: in order; each is asked for at its moment.
    func movies(of shots: [Int64], endsAt end: Int64? = nil) throws -> [Int: LivePhotoMovie] {
        var work = try LivePhotoWork(
            camera: take.videoFormat, microphone: hasMicrophone ? take.audioFormat : nil)
        let answers = Answers()
        let run = SyntheticTake.rate / 100
        var (frame, next, heard) = (0, 0, 0)
        for step in 0..<take.seconds * 100 {
            let now = Int64(step + 1) * 10_000_000
            if let end, now > end { break }
            while frame < take.frameCount, take.time(of: frame) < now {
                if sees(frame) { work.take(.frame(take.frameSample(frame))) }
                frame += 1
            }
            while hasMicrophone, heard <= step - audioLatency / 10 {
                if hears(heard * run) {
                    work.take(.audio(take.audioSample(from: heard * run, count: run)))
                }
                heard += 1
            }
            while next < shots.count, shots[next] <= now {
                let number = next
                work.take(
                    .shot(
                        LivePhotoShot(moment: .nanoseconds(SyntheticTake.start + shots[number])) {
                            result in answers.list.withLock { $0[number] = result }
                        }))
                next += 1
            }
        }
        work.finish()
        return try answers.movies()
    }

    /// The frame whose time is nearest to a moment.
    func nearest(_ moment: Int64) -> Int {
        (0..<take.frameCount).min {
            abs(take.time(of: $0) - moment) < abs(take.time(of: $1) - moment)
        } ?? 0
    }
}
