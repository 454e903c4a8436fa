internal import Media
internal import Movie
internal import Writing

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
            let folder = try PassFolder()
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
                try job.checkCancelled(output.path)
                job.report(tally.progress(of: plan, bytes: 0))
            }
            try pass.finish()
            // they are read once more, and damage met there counts
            shelf.forgetFrameDamage()
            return folder
        }
    }
}
