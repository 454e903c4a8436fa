internal import Media
internal import Writing

/// A GIF that grows picture by picture and gets its name when it is whole. Thread-bound.
struct AnimationSink {
    private let output: TemporaryOutput
    private let writer: AnimationWriter

    /// Creates the file under its temporary name.
    init(
        _ output: TemporaryOutput, _ job: OutputJob, _ format: VideoFormat, hasAlpha: Bool,
        loops: Int?
    ) throws(MediaError) {
        self.output = output
        writer = try job.write(output) { () throws(MediaError) in
            let writer = try AnimationWriter(
                path: output.temporaryPath, width: format.width, height: format.height,
                hasAlpha: hasAlpha, loops: loops)
            try output.begin(writer.keepLock())
            return writer
        }
    }

    var bytes: Int64 { writer.bytes }

    func append(_ picture: PixelBuffer, at start: MediaTime) throws(MediaError) {
        do throws(MediaError) { try writer.append(picture, at: start) } catch {
            throw output.named(error)
        }
    }

    /// - Parameters:
    ///   - end: when the last picture is no longer shown.
    ///   - count: of pictures that were appended.
    /// - Returns: pictures in the file, and remarks.
    func close(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String]) {
        do throws(MediaError) { try writer.finish(at: end) } catch { throw output.named(error) }
        guard writer.leftOut > 0 else { return (writer.pictures, []) }
        return (
            writer.pictures,
            [
                "\(writer.leftOut) of \(count) frames are left out, because a GIF shows at most "
                    + "50 a second; --fps 25 makes the rest even."
            ]
        )
    }

    /// Gives what is closed its name.
    func publish(_ job: OutputJob, frames: Int) throws(MediaError) {
        var draft = OutputDraft(output)
        draft.frames = Int64(frames)
        draft.bytes = writer.bytes
        _ = try job.publish(draft)
    }

    func abandon() { output.discard() }
}
