internal import Media
internal import Reading

/// When movies begin by their own time code. Looks at each file once, when it is first asked. Thread-bound.
final class MovieStarts {
    private struct Movie {
        let start: TimeCode
        let length: MediaTime
    }

    private var movies: [String: Movie?] = [:]

    private func movie(_ path: String) -> Movie? {
        if let known = movies[path] { return known }
        let asset = try? Asset.load(path)
        let movie = asset.flatMap { asset in
            asset.metadata.timeCode.map { Movie(start: $0.start, length: asset.duration) }
        }
        movies[path] = .some(movie)
        return movie
    }

    /// When the movie begins by its time code, if only that is where a range can lie.
    /// - Parameters:
    ///   - path: of the movie.
    ///   - first: where the range begins, and the rate that it is counted at, if it is one of frames.
    ///   - end: where it ends; nil: with the movie.
    /// - Returns: nil: the range lies in the movie as it is counted from its first frame, or in neither.
    func start(
        of path: String, for first: (time: MediaTime, rate: FrameRate?), to end: MediaTime?
    ) -> (time: MediaTime, code: TimeCode)? {
        guard first.time > .zero, let movie = movie(path),
            first.time >= movie.length
                || end.map({ $0 > movie.length }) ?? false
        else { return nil }
        let code = movie.start
        // other programs count the frames of 23.976 a second at 24, too
        let counts = first.rate.map { TimeCodeRate.wholeRate($0) == code.rate.framesPerSecond }
        let begin =
            (counts == true ? first.rate : nil).map { $0.frameDuration * code.frame }
            ?? code.rate.time(ofFrames: code.frame)
        return first.time >= begin && first.time < begin + movie.length ? (begin, code) : nil
    }
}
