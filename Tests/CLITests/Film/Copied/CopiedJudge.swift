import Foundation
import TestSupport

/// Looks at a film with the eyes of other programs, and says what is wrong with it.
struct CopiedJudge {
    let plan: CopiedPlan
    let report: CopiedReport
    /// Path of the film.
    let film: String
    /// Path of the same film of which nothing is copied, of very high quality.
    let reference: String
    /// Frames of a clip that is copied from, by the path that the plan names.
    let source: (String) throws -> CopiedPictures
    /// What the film is coded as.
    var codec = "h264"
    /// Of clips whose edit lists other programs do not follow.
    var hasSeveralEdits: (String) -> Bool = { _ in false }

    /// Frames that are like the reference's have so much at least (dB). Neighbours of these films have 27 at most.
    static let leastLikeness = 36.0

    /// The same where a browser compares them as red, green and blue.
    static let leastLikenessInColours = 32.0

    /// What was measured.
    struct Verdict {
        var complaints: [String] = []
        var frames = 0
        var copied = 0
        /// How like the reference the worst frame is (dB); nil: there is none of that kind.
        var worstCopied: Double?
        var worstEncoded: Double?
        /// How much worse the worst encoded frame beside a copied one is than the median of all encoded ones (dB).
        var joint: Double?
    }

    func verdict() throws -> Verdict {
        var verdict = Verdict()
        let pictures = try CopiedPictures(film)
        (verdict.frames, verdict.copied) = (plan.frames, plan.copiedFrames)
        verdict.complaints += numbers(pictures)
        if !pictures.complaints.isEmpty {
            verdict.complaints.append("ffmpeg says: \(pictures.complaints.prefix(200))")
        }
        verdict.complaints += try packets()
        verdict.complaints += try copies(pictures)
        try compare(pictures, &verdict)
        verdict.complaints += try gstreamer(pictures)
        verdict.complaints += try newerFFmpeg(pictures)
        verdict.complaints += try chromium(pictures)
        verdict.complaints += try audio()
        return verdict
    }

    // MARK: What the program says

    private func numbers(_ pictures: CopiedPictures) -> [String] {
        var complaints: [String] = []
        let copied = plan.spans.filter(\.isCopied).reduce(0) { $0 + plan.frames(of: $1).count }
        if copied != plan.copiedFrames || copied != report.copiedFrames {
            complaints.append(
                "\(copied) frames of spans are copied, \(plan.copiedFrames) of the plan, "
                    + "\(report.copiedFrames) of the report")
        }
        if plan.frames != report.frames || plan.frames != pictures.count {
            complaints.append(
                "\(plan.frames) frames are planned, \(report.frames) reported, "
                    + "\(pictures.count) decoded")
        }
        var next = 0
        for span in plan.spans {
            let frames = plan.frames(of: span)
            if frames.lowerBound != next { complaints.append("a span begins at \(frames)") }
            next = frames.upperBound
            if !span.isCopied, span.reason?.isEmpty ?? true {
                complaints.append("frames \(frames) are encoded without a reason")
            }
        }
        if next != plan.frames { complaints.append("the spans end at \(next)") }
        return complaints
    }

    // MARK: When frames are shown

    private func packets() throws -> [String] {
        let result = try tool(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=time_base:packet=pts,dts", "-of", "compact=p=0:nk=1", film,
            ])
        let rows = result.outputText.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: "|").map(String.init) }
        let base = rows.last { $0.count == 1 }.map { CopiedPlan.seconds($0[0]) } ?? .nan
        let packets = rows.filter { $0.count == 2 }
        var complaints: [String] = []
        let times = packets.compactMap { Double($0[0]) }.sorted()
        if times.count != plan.frames { complaints.append("there are \(times.count) packets") }
        // Matroska counts milliseconds, and begins with what primes the audio
        let isMatroska = film.hasSuffix("mkv")
        let first = isMatroska ? times.first ?? 0 : 0
        if first * base > 0.022 { complaints.append("the first frame is shown at \(first)") }
        let step = plan.frameSeconds / base
        for (number, time) in times.enumerated()
        where !(abs(time - first - Double(number) * step) < (isMatroska ? 1.01 : 0.51)) {
            complaints.append("frame \(number) is shown at \(time) of \(Double(number) * step)")
            break
        }
        // of Matroska, which has none, those that ffmpeg makes of the parameter sets
        let decoded = packets.compactMap { Double($0[1]) }
        if !isMatroska && decoded.count != packets.count
            || zip(decoded, decoded.dropFirst()).contains(where: >=)
        {
            complaints.append("decode times do not increase")
        }
        if !isMatroska, zip(packets, decoded).contains(where: { (Double($0[0]) ?? 0) < $1 }) {
            complaints.append("a frame is decoded after it is shown")
        }
        return complaints
    }

    // MARK: What frames show

    private func copies(_ pictures: CopiedPictures) throws -> [String] {
        var complaints: [String] = []
        for span in plan.spans where span.isCopied {
            guard let path = span.path, let from = span.from else {
                complaints.append("a copied span names no source")
                continue
            }
            let frames = plan.frames(of: span)
            let clip = try source(path)
            let firsts =
                hasSeveralEdits(path)
                ? (0..<clip.count).filter { pictures.isEqual(frames.lowerBound, to: clip, $0) }
                : [
                    clip.frame(
                        at: CopiedPlan.seconds(from),
                        hasOwnZero: path.hasSuffix("mkv") || path.hasSuffix("ts"))
                ].compactMap { $0 }
            let differing = firsts.map { first in
                frames.filter { number in
                    !pictures.isEqual(number, to: clip, first + number - frames.lowerBound)
                }
            }
            guard let least = differing.min(by: { $0.count < $1.count }) else {
                complaints.append("frames \(frames) are no frames of \(path) from \(from) on")
                continue
            }
            guard let first = least.first else { continue }
            complaints.append(
                "\(least.count) of the frames \(frames) are not those of \(path) from \(from) on, "
                    + "the first of them \(first)")
        }
        return complaints
    }

    private func compare(_ pictures: CopiedPictures, _ verdict: inout Verdict) throws {
        let other = try CopiedPictures(reference)
        if other.count != pictures.count {
            verdict.complaints.append("the reference has \(other.count) frames")
        }
        let likeness = (0..<pictures.count).map { pictures.likeness($0, to: other) }
        var isCopied = Array(repeating: false, count: pictures.count)
        for span in plan.spans where span.isCopied {
            for number in plan.frames(of: span) where number < pictures.count {
                isCopied[number] = true
            }
        }
        for (number, value) in likeness.enumerated() where value < Self.leastLikeness {
            verdict.complaints.append(
                "frame \(number) (\(isCopied[number] ? "copied" : "encoded")) has "
                    + "\(value.rounded()) dB, \(likeness.filter { $0 < Self.leastLikeness }.count) "
                    + "frames have too little")
            break
        }
        let encoded = likeness.indices.filter { !isCopied[$0] }
        verdict.worstCopied = likeness.indices.filter { isCopied[$0] }.map { likeness[$0] }.min()
        verdict.worstEncoded = encoded.map { likeness[$0] }.min()
        let beside = encoded.filter { number in
            number > 0 && isCopied[number - 1]
                || number + 1 < isCopied.count && isCopied[number + 1]
        }
        guard let worst = beside.map({ likeness[$0] }).min() else { return }
        let sorted = encoded.map { likeness[$0] }.sorted()
        verdict.joint = worst - sorted[sorted.count / 2]
    }

    /// The other reader of containers decodes the same frames.
    private func gstreamer(_ pictures: CopiedPictures) throws -> [String] {
        guard pictures.pixelFormat == "yuv420p", pictures.size % 8 == 0,
            let program = Program.tool("gst-launch-1.0")
        else { return [] }
        // no decodebin: with audio that nothing takes it waits for ever now and then
        let demuxer = film.hasSuffix("mkv") ? "matroskademux" : "qtdemux"
        let result = try program.run([
            "-q", "filesrc", "location=\(film)", "!", demuxer, "name=d", "d.video_0", "!", "queue",
            "!", codec == "hevc" ? "avdec_h265" : "avdec_h264", "!", "videoconvert", "!",
            "video/x-raw,format=I420", "!", "fdsink",
        ])
        guard result.output != pictures.bytes else { return [] }
        return [
            "GStreamer decodes \(result.output.count / pictures.size) frames, and not the same: "
                + "\(result.errorText.prefix(200))"
        ]
    }

    /// A newer FFmpeg decodes the same frames, and shows the same one where it seeks to it: on both sides of each joint.
    private func newerFFmpeg(_ pictures: CopiedPictures) throws -> [String] {
        guard pictures.pixelFormat == "yuv420p", pictures.times.count == pictures.count else {
            return []
        }
        let joints = plan.spans.dropFirst().map { plan.frames(of: $0).lowerBound }
        let numbers = joints.prefix(12).flatMap { [$0 - 1, $0, $0 + 1] }
            .filter { pictures.times.indices.contains($0) }
        // half of a frame later: which one that is does not depend on how its time is rounded
        let times = numbers.map { pictures.times[$0] + plan.frameSeconds / 2 }
        guard let answer = try PyAV.play(film, seeking: times) else { return [] }
        var complaints: [String] = []
        if !answer.complaints.isEmpty {
            complaints.append("a newer FFmpeg says: \(answer.complaints.prefix(200))")
        }
        let whole = pictures.size * answer.played
        if answer.played != pictures.count || !answer.bytes.starts(with: pictures.bytes) {
            complaints.append(
                "a newer FFmpeg decodes \(answer.played) frames, and not the same")
        }
        let wrong = numbers.indices.filter { index in
            let start = whole + index * pictures.size
            return start + pictures.size > answer.bytes.count
                || answer.bytes[start..<start + pictures.size] != pictures[numbers[index]]
        }
        if let first = wrong.first {
            complaints.append(
                "a newer FFmpeg seeks to frame \(numbers[first]) and shows another one, as to "
                    + "\(wrong.count) of \(numbers.count)")
        }
        return complaints
    }

    /// A browser shows the reference's frames on both sides of each joint, wherever it comes from, and plays to the end.
    /// Other codecs and Matroska it does not play without a machine's own decoder.
    private func chromium(_ pictures: CopiedPictures) throws -> [String] {
        guard codec == "h264", pictures.pixelFormat == "yuv420p", !film.hasSuffix("mkv") else {
            return []
        }
        let joints = plan.spans.dropFirst().map { plan.frames(of: $0).lowerBound }
        let numbers = joints.prefix(8).flatMap { [$0 - 1, $0] }
        // forwards, and then backwards
        let order = numbers + numbers.reversed()
        let times = order.map { (Double($0) + 0.5) * plan.frameSeconds }
        guard let answer = try Chromium.play(film, beside: reference, seeking: times) else {
            return []
        }
        if let error = answer.error { return ["Chromium says: \(error.prefix(200))"] }
        var complaints: [String] = []
        let likeness = answer.likeness ?? []
        if let worst = likeness.indices.min(by: { likeness[$0] < likeness[$1] }),
            likeness[worst] < Self.leastLikenessInColours
        {
            complaints.append(
                "Chromium shows another frame than \(order[worst]): \(likeness[worst].rounded()) dB"
            )
        }
        let wanted = CopiedPlan.seconds(plan.duration)
        let end = answer.at ?? 0
        if likeness.count != times.count || answer.ended != true || abs(end - wanted) > 0.1
            || (answer.corrupted ?? 0) > 0
        {
            complaints.append(
                "Chromium plays until \(end) of \(wanted) s, \(answer.frames ?? 0) frames, of which "
                    + "\(answer.corrupted ?? 0) are damaged")
        }
        return complaints
    }

    // MARK: What is heard

    private struct Sound: Decodable {
        struct Stream: Decodable {
            var duration: String?
            var sampleRate: String
        }
        var streams: [Stream]
    }

    private func audio() throws -> [String] {
        let entries = ["-show_entries", "stream=duration,sample_rate", "-of", "json"]
        let answer = try JSONDecoder.copied.decode(
            Sound.self,
            from: Data(
                try tool("ffprobe", ["-v", "error", "-select_streams", "a:0"] + entries + [film])
                    .output))
        guard let stream = answer.streams.first else { return [] }
        var complaints: [String] = []
        let wanted = CopiedPlan.seconds(plan.duration)
        if let stated = stream.duration.flatMap(Double.init), abs(stated - wanted) > 0.001 {
            complaints.append("the audio states \(stated) s of \(wanted)")
        }
        let decoded = try tool(
            "ffmpeg",
            ["-v", "error", "-i", film, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
        let length = Double(decoded.output.count) / 2 / (Double(stream.sampleRate) ?? .nan)
        // whole packets, and in Matroska what primes the decoder
        if !(length > wanted - 0.001 && length < wanted + 0.05) {
            complaints.append("\(length) s of audio are decoded of \(wanted)")
        }
        if !decoded.errorText.isEmpty {
            complaints.append("ffmpeg says of the audio: \(decoded.errorText.prefix(200))")
        }
        return complaints
    }

    private func tool(_ name: String, _ words: [String]) throws -> Program.Result {
        guard let program = Program.tool(name) else {
            throw MovieOracle.Failure(description: "\(name) is not installed")
        }
        return try program.run(words)
    }
}
