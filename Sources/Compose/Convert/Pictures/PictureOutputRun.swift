internal import Glibc
internal import Media
internal import Movie
internal import Reading
internal import Writing

/// One conversion into a GIF or into picture files. Blocks; on a thread of its own.
struct PictureOutputRun: Sendable {
    let conversion: Conversion
    let output: PictureOutput
    let job: OutputJob

    /// Where the pictures go, once it is sure that they may be there.
    private enum Place {
        case animation(TemporaryOutput)
        case single(TemporaryOutput, FilmStills.Form)
        case numbered(NumberedPath, FilmStills.Form, EarlierPictures)
    }

    /// What takes the pictures in order.
    fileprivate protocol Sink {
        var bytes: Int64 { get }
        func append(
            _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int)
            throws(MediaError)
        /// - Returns: pictures in the output, and remarks.
        func close(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String])
        /// Gives what is closed its name.
        func publish(_ job: OutputJob, frames: Int) throws(MediaError)
        func abandon()
    }

    func convert() throws(MediaError) -> ConversionReport {
        let notes = conversion.sourceNotes
        let plan = try ConversionPlanner(conversion: conversion, container: .mov).plan(for: output)
        let place = try claim()
        let pictures = try UprightFrames(conversion, plan)
        defer { pictures.close() }
        let sink = try sink(place, plan, pictures.format, isOpaque: try isOpaque(plan))
        var count = 0
        var end = MediaTime.zero
        let result: (pictures: Int, notes: [String])
        do throws(MediaError) {
            while let (picture, place, length) = try pictures.next() {
                try checkCancelled()
                count += 1
                try sink.append(picture, pictures.format, at: place, count)
                end = place.followed(by: length)
                job.report(
                    end.onTimeline(), of: plan.part.duration, frames: Int64(count),
                    bytes: sink.bytes)
                if case .single = output { break }
            }
            result = try sink.close(at: end, count)
        } catch {
            sink.abandon()
            throw error
        }
        try sink.publish(job, frames: result.pictures)
        return ConversionReport(
            path: output.path, duration: end,
            tracks: [.init(mediaType: .video, isCopied: false, codec: output.codec)],
            frames: Int64(result.pictures), bytes: sink.bytes,
            size: PixelSize(width: pictures.format.width, height: pictures.format.height),
            damagedFrames: pictures.damage.pictures, filters: pictures.filterCounts,
            notes: notes + plan.losses + result.notes
                + [pictures.filterNote, pictures.damage.sentence(of: conversion.asset.path)]
                .compactMap { $0 },
            elapsed: job.elapsed)
    }

    /// Before anything is decoded.
    private func claim() throws(MediaError) -> Place {
        switch output {
        case .animation(let path): return .animation(try claim(path))
        case .single(let path, let form): return .single(try claim(path), form)
        case .numbered(let numbered, let form):
            try checkCancelled()
            let earlier = EarlierPictures(numbered)
            if !conversion.settings.overwrites, let first = earlier.first {
                throw TemporaryOutput.taken(first)
            }
            job.tidy(besides: output.path)
            return .numbered(numbered, form, earlier)
        }
    }

    private func claim(_ path: String) throws(MediaError) -> TemporaryOutput {
        try job.claim(
            path, reading: conversion.paths, overwrites: conversion.settings.overwrites)
    }

    /// Whether all pictures of picture files are opaque. A format with room for opacity says nothing: of animations
    /// and of a still picture it is looked for, so that all files of one run are of one kind.
    private func isOpaque(_ plan: PictureOutputPlan) throws(MediaError) -> Bool {
        guard plan.keepsTransparency else { return true }
        guard output.codec == "png", conversion.sequence == nil,
            plan.source.isAnimation || plan.source.isStill
        else { return false }
        let pictures = try UprightFrames(conversion, plan)
        defer { pictures.close() }
        while let (picture, _, _) = try pictures.next() {
            if picture.isTransparentInPart { return false }
            try checkCancelled()
            if case .single = output { break }
        }
        return true
    }

    private func sink(
        _ place: Place, _ plan: PictureOutputPlan, _ format: VideoFormat, isOpaque: Bool
    ) throws(MediaError) -> any Sink {
        switch place {
        case .animation(let file):
            return try AnimationSink(
                file, job, format, hasAlpha: plan.keepsTransparency,
                loops: plan.source.isAnimation && conversion.settings.loops == 1
                    ? plan.source.loops : conversion.settings.loops > 1 ? 1 : nil)
        case .single(let file, let form):
            return FilesSink(PictureFiles(form) { _ in file }, nil, isOpaque: isOpaque)
        case .numbered(let numbered, let form, let earlier):
            let (job, conversion) = (job, conversion)
            let files = PictureFiles(form) { number throws(MediaError) in
                try job.claimOne(
                    numbered.path(number), reading: conversion.paths,
                    overwrites: conversion.settings.overwrites)
            }
            return FilesSink(files, earlier, isOpaque: isOpaque)
        }
    }

    private func checkCancelled() throws(MediaError) {
        var rest = OutputPurpose.Rest.nothing
        if case .numbered = output { rest = .pictures }
        try job.checkCancelled(output.path, leaving: rest)
    }

    // MARK: Sinks

    /// Each picture has its name as soon as it is written.
    private struct FilesSink: Sink {
        private let files: PictureFiles
        private let isOpaque: Bool
        private let earlier: EarlierPictures?

        init(_ files: PictureFiles, _ earlier: EarlierPictures?, isOpaque: Bool) {
            self.files = files
            self.isOpaque = isOpaque
            self.earlier = earlier
        }

        var bytes: Int64 { files.bytes }

        func append(
            _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int
        ) throws(MediaError) {
            try files.add(picture, format, ignoresOpacity: isOpaque, number: number)
        }

        func close(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String]) {
            try files.finish()
            return (count, earlier?.notes(beyond: count) ?? [])
        }

        func publish(_ job: OutputJob, frames: Int) {
            job.reportWhole(frames: Int64(frames), bytes: files.bytes)
        }

        func abandon() { files.stop() }
    }
}

extension AnimationSink: PictureOutputRun.Sink {
    func append(
        _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int
    ) throws(MediaError) { try append(picture, at: start) }
}

extension NumberedPath {
    /// Whether a picture of this kind is there already. Blocks.
    package var isTaken: Bool { EarlierPictures(self).first != nil }
}

/// Pictures that lie under the names of a numbered path.
struct EarlierPictures {
    /// Rising.
    let numbers: [Int]
    private let path: NumberedPath

    init(_ path: NumberedPath) {
        self.path = path
        numbers = path.numbersOnDisk()
    }

    var first: String? { numbers.first.map(path.path) }

    /// What is known of those that a run of so many pictures has not replaced.
    func notes(beyond count: Int) -> [String] {
        let later = numbers.filter { $0 > count }
        guard let first = later.first else { return [] }
        return [
            "\(path.path(first)) and \(later.count - 1) later ones are of an earlier conversion."
        ]
    }
}

extension PixelBuffer {
    /// Whether a pixel of a bgra picture is not wholly opaque.
    var isTransparentInPart: Bool {
        withPlanes { planes in
            (0..<height).contains { y in
                let row = planes[0].row(y)
                return (0..<width).contains { row[4 &* $0 &+ 3] != 255 }
            }
        }
    }
}
