import Compose
import Detect
import Media
import Movie
import Writing

/// A running clock as a movie: every frame is a code of its own time.
struct ClockMovie: Sendable {
    let name: String
    let length: MediaTime

    /// How long each code is shown: a camera of 30 frames a second sees each at least twice, whatever its shutter
    /// (milliseconds).
    static let step: Int64 = 100
    /// Of the square frame (pixels): telephones scale it up without blurring edges much.
    static let side = 720

    /// Six letters and digits, so that no two clocks are taken for one.
    static func newName() -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String((0..<6).compactMap { _ in letters.randomElement() })
    }

    /// How many codes it shows.
    var count: Int64 { max(1, length.nanoseconds() / (Self.step * 1_000_000)) }

    func slate(_ number: Int64) -> Slate {
        Slate(clock: .init(name: name, milliseconds: number * Self.step, step: Self.step))
    }

    /// Writes it beside its name and gives it the name when it is whole.
    func write(to path: String, replacesExisting: Bool) async throws {
        do throws(MediaError) { _ = try QRCode("vcap") } catch {
            // before there is a file
            throw CommandFailure.noDetector(error)
        }
        let isOver = Lock(false)
        SignalListener.listen { event in
            if [.interrupt, .terminate, .hangUp].contains(event) { isOver.withLock { $0 = true } }
        }
        let writer: AssetWriter
        do throws(MediaError) { writer = try self.writer(path, replacesExisting) } catch {
            throw CommandFailure(error, while: .writing)
        }
        do {
            let receiver = try writer.pixelBufferReceiver(
                for: VideoOutputSettings(
                    codec: .h264, rate: .quality(18), keyFrameInterval: .seconds(1)),
                sourceFormat: QRCode.frameFormat(side: Self.side))
            try writer.startSession(atSourceTime: .zero)
            for number in 0..<count {
                if isOver.withLock({ $0 }) {
                    throw CommandFailure(.failedRunning, "ended by a signal; no clock is made")
                }
                var frame = await receiver.pool.nextBuffer()
                try QRCode(slate(number).text()).draw(into: &frame)
                try await receiver.append(
                    frame, at: MediaTime(value: number * Self.step, timescale: 1000))
            }
            receiver.finish()
            try writer.endSession(
                atSourceTime: MediaTime(value: count * Self.step, timescale: 1000))
            _ = try await writer.finish()
        } catch {
            // what there is of it is no clock
            await writer.cancel()
            throw CommandFailure.from(error, while: .writing)
        }
    }

    private func writer(
        _ path: String, _ replacesExisting: Bool
    ) throws(MediaError) -> AssetWriter {
        var configuration = try AssetWriterConfiguration(outputPath: path, mode: .offline)
        configuration.overwrites = replacesExisting
        configuration.metadata.title = "vcap clock \(name)"
        configuration.metadata.software = "vcap \(Verbs.versionNumber)"
        return try AssetWriter(configuration)
    }
}
