internal import Glibc
internal import Media
internal import Movie
internal import Writing

extension PassFolder {
    /// Why the file of the second pass cannot be begun: its place was there before the first one.
    func lost(_ output: TemporaryOutput, _ error: MediaError) -> MediaError {
        guard error.errno == ENOENT else { return explained(error) }
        return MediaError(
            code: .ioError, function: error.function, subject: output.path, errno: ENOENT,
            message:
                "The folder of \(output.path) was moved or deleted while the film was made; make the film "
                + "again.")
    }
}

extension ExportRun {
    /// Makes all frames once for an encoder that only looks, where the film is made in two passes.
    /// - Returns: what it saw; nil: the film is made in one pass.
    func firstPass(
        _ plan: ExportPlan, _ output: TemporaryOutput, _ shelf: SourceShelf,
        _ tally: inout ExportTally
    ) throws(MediaError) -> PassFolder? {
        guard plan.passes == 2, let video = plan.preset.video,
            let format = ExportInputs.format(plan, film)
        else { return nil }
        return try output.reserved { () throws(MediaError) in
            let paths = film.inputPaths
            let states = paths.map(ExportPlanner.identity)
            let folder = try PassFolder()
            do throws(MediaError) {
                try look(at: plan, video, format, folder, output.path, shelf, &tally)
            } catch { throw folder.explained(error) }
            // what the first pass saw of one file says nothing of another
            for (path, state) in zip(paths, states) where ExportPlanner.identity(path) != state {
                throw MediaError(
                    code: .damagedFile, subject: path,
                    message: "\(path) was changed while the film was made; make the film again.")
            }
            // they are read once more, and damage met there counts
            shelf.forgetFrameDamage()
            return folder
        }
    }

    private func look(
        at plan: ExportPlan, _ video: VideoOutputSettings, _ format: VideoFormat,
        _ folder: PassFolder, _ path: String, _ shelf: SourceShelf, _ tally: inout ExportTally
    ) throws(MediaError) {
        let pass = try FirstPass(video, source: format, statistics: folder.file)
        let frames = try FilmRenderer(
            film, format: format, threads: settings.threads, shelf: shelf)
        while tally.seenFrames < plan.frameCount {
            let number = tally.seenFrames
            try pass.add(
                SampleBuffer(
                    payload: .pixels(try frames.picture(at: plan.times.time(ofFrame: number))),
                    format: .video(format), presentationTime: plan.frameDuration * number,
                    duration: plan.frameDuration))
            tally.seenFrames += 1
            try job.checkCancelled(path)
            job.report(tally.progress(of: plan, bytes: 0))
        }
        try pass.finish()
    }
}
