internal import Glibc
internal import Media
internal import Movie
internal import Reading
internal import Writing

/// One conversion into a GIF or into picture files. Blocks; on a thread of its own.
struct PicturesRun: Sendable {
    let conversion: Conversion
    let output: PictureOutput
    let clock: any MediaClock
    let isCancelled: @Sendable () -> Bool
    let onProgress: @Sendable (ExportProgress) -> Void

    /// What takes the pictures in order.
    private protocol Sink {
        var bytes: Int64 { get }
        func append(
            _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int)
            throws(MediaError)
        /// - Returns: pictures in the output, and remarks.
        func finish(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String])
        func abandon()
    }

    func convert() throws(MediaError) -> ConversionReport {
        let start = clock.now()
        let notes = conversion.sourceNotes
        let plan = try ConversionPlanner(conversion: conversion, container: .mov).plan(for: output)
        let pictures = try UprightPictures(conversion, plan)
        defer { pictures.close() }
        StaleParts.remove(besides: output.path)
        let sink = try sink(plan, pictures.format, isOpaque: try isOpaque(plan))
        var count = 0
        var end = MediaTime.zero
        let result: (pictures: Int, notes: [String])
        do throws(MediaError) {
            while let (picture, place, length) = try pictures.next() {
                count += 1
                try sink.append(picture, pictures.format, at: place, count)
                end = place.followed(by: length)
                try checkCancelled()
                onProgress(
                    ExportProgress(
                        frames: Int64(count), frameCount: 0,
                        time: min(end.onTimeline(), plan.part.duration),
                        duration: plan.part.duration, bytes: sink.bytes,
                        elapsed: clock.now() - start,
                        made: min(end.onTimeline(), plan.part.duration)))
                if case .single = output { break }
            }
            result = try sink.finish(at: end, count)
        } catch {
            sink.abandon()
            throw error
        }
        return ConversionReport(
            path: output.path, duration: end,
            tracks: [.init(mediaType: .video, isCopied: false, codec: output.codec)],
            frames: Int64(result.pictures), bytes: sink.bytes,
            size: PixelSize(width: pictures.format.width, height: pictures.format.height),
            damagedPictures: pictures.damage.pictures,
            notes: notes + plan.losses + result.notes
                + [pictures.damage.sentence(of: conversion.asset.path)].compactMap { $0 },
            elapsed: clock.now() - start)
    }

    /// Whether all pictures of picture files are opaque. A format with room for opacity tells nothing: of animations
    /// and of a still picture it is looked for, so that all files of one run are of one kind.
    private func isOpaque(_ plan: PicturesPlan) throws(MediaError) -> Bool {
        guard plan.keepsTransparency else { return true }
        guard output.codec == "png", conversion.sequence == nil,
            plan.source.isAnimation || plan.source.isStill
        else { return false }
        let pictures = try UprightPictures(conversion, plan)
        defer { pictures.close() }
        while let (picture, _, _) = try pictures.next() {
            if picture.isTransparentInPart { return false }
            try checkCancelled()
            if case .single = output { break }
        }
        return true
    }

    private func sink(
        _ plan: PicturesPlan, _ format: VideoFormat, isOpaque: Bool
    ) throws(MediaError) -> any Sink {
        let settings = conversion.settings
        switch output {
        case .animation(let path):
            let output = try TemporaryOutput(path: path, overwrites: settings.overwrites)
            try refuse(output.collision(with: conversion.paths), path)
            let source = plan.source
            return try AnimationSink(
                output, format, hasAlpha: plan.keepsTransparency,
                loops: source.isAnimation ? source.loops : nil)
        case .numbered(let numbered, let form):
            let earlier = EarlierPictures(numbered)
            if !settings.overwrites, let first = earlier.first {
                throw MediaError(
                    code: .alreadyExists, subject: first,
                    message: "\(first) exists: choose another name, or give -y to replace it.")
            }
            return FilesSink(numbered.path, earlier: earlier, form, conversion, isOpaque)
        case .single(let path, let form):
            return FilesSink({ _ in path }, earlier: nil, form, conversion, isOpaque)
        }
    }

    private func refuse(_ input: String?, _ path: String) throws(MediaError) {
        guard let input else { return }
        throw MediaError(
            code: .cannotCreate, subject: path,
            message: "Will not write over \(input): it is what is converted.")
    }

    private func checkCancelled() throws(MediaError) {
        guard isCancelled() else { return }
        let rest =
            if case .numbered = output { "pictures written before stay" } else {
                "nothing is left of it"
            }
        throw MediaError(
            code: .cancelled, subject: output.path,
            message: "The conversion to \(output.path) was cancelled; \(rest).")
    }

    // MARK: Sinks

    private struct AnimationSink: Sink {
        private let output: TemporaryOutput
        private let writer: AnimationWriter

        init(
            _ output: TemporaryOutput, _ format: VideoFormat, hasAlpha: Bool, loops: Int?
        ) throws(MediaError) {
            try output.refuseIfLocked()
            self.output = output
            writer = try AnimationWriter(
                path: output.temporaryPath, width: format.width, height: format.height,
                hasAlpha: hasAlpha, loops: loops)
            output.keep(writer.keepLock())
        }

        var bytes: Int64 { writer.bytes }

        func append(
            _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int
        ) throws(MediaError) {
            try writer.append(picture, at: start)
        }

        func finish(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String]) {
            try writer.finish(at: end)
            try output.complete()
            guard writer.leftOut > 0 else { return (writer.pictures, []) }
            return (
                writer.pictures,
                [
                    "\(writer.leftOut) of \(count) pictures are left out, because a GIF shows at most "
                        + "50 a second; --fps 25 makes the rest even."
                ]
            )
        }

        func abandon() { output.discard() }
    }

    private struct FilesSink: Sink {
        private let path: @Sendable (Int) -> String
        private let earlier: EarlierPictures?
        private let files: PictureFiles
        private let isOpaque: Bool

        init(
            _ path: @escaping @Sendable (Int) -> String, earlier: EarlierPictures?,
            _ form: FilmStills.Form, _ conversion: Conversion, _ isOpaque: Bool
        ) {
            self.path = path
            self.isOpaque = isOpaque
            self.earlier = earlier
            files = PictureFiles(
                form, overwrites: conversion.settings.overwrites, inputs: conversion.paths)
        }

        var bytes: Int64 { files.bytes }

        func append(
            _ picture: PixelBuffer, _ format: VideoFormat, at start: MediaTime, _ number: Int
        ) throws(MediaError) {
            try files.add(picture, format, ignoresOpacity: isOpaque, to: path(number))
        }

        func finish(at end: MediaTime, _ count: Int) throws(MediaError) -> (Int, [String]) {
            try files.finish()
            guard let later = earlier?.numbers.filter({ $0 > count }), let first = later.min()
            else {
                return (count, [])
            }
            return (
                count,
                ["\(path(first)) and \(later.count - 1) later ones are of an earlier conversion."]
            )
        }

        func abandon() { files.stop() }
    }
}

/// Pictures that lie under the names of a numbered path.
struct EarlierPictures {
    /// Rising.
    let numbers: [Int]
    private let path: NumberedPath

    init(_ path: NumberedPath) {
        self.path = path
        var numbers: [Int] = []
        if let listing = opendir(path.folder.isEmpty ? "." : path.folder) {
            defer { closedir(listing) }
            while let entry = readdir(listing) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let number = path.number(of: path.folder + name) { numbers.append(number) }
            }
        }
        self.numbers = numbers.sorted()
    }

    var first: String? { numbers.first.map(path.path) }
}

extension PixelBuffer {
    /// Whether a pixel of a bgra picture is not wholly opaque.
    fileprivate var isTransparentInPart: Bool {
        withPlanes { planes in
            (0..<height).contains { y in
                let row = planes[0].row(y)
                return (0..<width).contains { row[4 &* $0 &+ 3] != 255 }
            }
        }
    }
}
