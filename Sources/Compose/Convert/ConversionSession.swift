public import Media
public import Movie

/// Makes one movie of one source. One conversion a session; thread-safe.
///
/// The movie grows under a temporary name beside the final one and gets that name when it is complete and on
/// the disk. Memory does not depend on the source's length.
public final class ConversionSession: Sendable {
    // immutable
    public let conversion: Conversion
    // guarded by itself
    private let job: OutputJob

    public init(_ conversion: Conversion, clock: any MediaClock = HostClock()) {
        self.conversion = conversion
        job = OutputJob(.conversion, clock: clock)
    }

    /// How the conversion stands now.
    public var state: ExportState { job.state }

    /// What `convert` would do. Opens the source's tracks; blocks, not for Swift's cooperative pool.
    /// - Throws: what is wrong with the settings, or what the source or container cannot do.
    public func plan(for container: OutputContainer) throws(MediaError) -> ConversionPlan {
        try ConversionPlanner(conversion: conversion, container: container).plan()
    }

    /// What `convert` would do for an output of pictures. Blocks as the other one does.
    /// - Throws: what is wrong with the settings, or that there is no video.
    public func plan(for output: PictureOutput) throws(MediaError) -> PictureOutputPlan {
        try ConversionPlanner(conversion: conversion, container: .mov).plan(for: output)
    }

    /// Ends the conversion; `convert` then throws `cancelled`, and nothing is left of the movie.
    public func cancel() { job.cancel() }

    /// How the conversion stands: at once, then at most each `updateInterval` (seconds; positive), until it
    /// has ended. A slow reader misses states and holds nothing up.
    public func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        job.states(updateInterval: updateInterval)
    }

    /// Copies, encodes and writes.
    /// - Parameters:
    ///   - path: the movie's name; nothing is there under it before it is complete. A GIF, or picture files
    ///     (`PictureOutput`), where the name's ending says so.
    ///   - container: kind of file (default by the name's ending).
    /// - Throws: `cancelled`; what is wrong with the settings, the source, the output or the disk.
    public func convert(
        to path: String, as container: OutputContainer? = nil
    ) async throws(MediaError) -> ConversionReport {
        try await job.run(to: path) { [self] () async throws(MediaError) in
            if container == nil, let output = PictureOutput(path: path) {
                let run = PictureOutputRun(conversion: conversion, output: output, job: job)
                return try await job.block { () throws(MediaError) in try run.convert() }
            }
            guard let container = container ?? OutputContainer(path: path) else {
                throw MediaError(
                    code: .unsupported, subject: path,
                    message:
                        "The name \(path) does not say what kind of file to write; end it in .mp4, "
                        + ".mov, .mkv, .webm, .ts, .m4a, .wav, .flac, .ogg, .opus, .mp3, .gif, .png or "
                        + ".jpg.")
            }
            let run = ConversionRun(
                conversion: conversion, container: container, path: path, job: job)
            return try await run.convert()
        }
    }
}
