import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Sound of conversions", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct AudioConversionTests {
    private let folder: TemporaryFolder
    private static let rate = 48_000
    private static let frames = 2 * rate + 321

    init() throws {
        folder = try TemporaryFolder()
        try encode("source.wav", ["-c:a", "pcm_s16le"])
    }

    // MARK: What is made and heard

    /// A tone that rises, so that every place sounds unlike any other.
    @discardableResult
    private func encode(_ name: String, _ options: [String], pictures: Bool = false) throws
        -> String
    {
        let path = folder.file(name)
        let seconds = Double(Self.frames) / Double(Self.rate)
        let video = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)"]
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-y"] + (pictures ? video : [])
                + [
                    "-f", "lavfi", "-i",
                    "aevalsrc='0.5*sin(2*PI*(200+300*t)*t)':s=\(Self.rate):d=\(seconds)",
                ] + (pictures ? ["-c:v", "libx264", "-preset", "ultrafast"] : []) + options + [path]
        )
        #expect(result.status == 0, "\(result.errorText)")
        return path
    }

    private func heard(_ path: String, rate: Int = Self.rate) throws -> [Float] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-ac", "1", "-ar", "\(rate)",
            "-",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func likeness(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Double {
        var (both, first, second) = (0.0, 1e-12, 1e-12)
        for (a, b) in zip(one, other) {
            both += Double(a * b)
            first += Double(a * a)
            second += Double(b * b)
        }
        return both / (first * second).squareRoot()
    }

    /// By how many frames one lies behind the source, and how alike they are there.
    private func place(_ sound: [Float], within reach: Int = 3000) throws -> (
        shift: Int, like: Double
    ) {
        let source = try heard(folder.file("source.wav"))
        let part = source[20_000..<24_000]
        var best = (shift: 0, like: -1.0)
        for shift in -reach...reach where sound.count >= 24_000 + shift {
            let like = likeness(part, sound[(20_000 + shift)..<(24_000 + shift)])
            if like > best.like { best = (shift, like) }
        }
        return best
    }

    private func settings(_ change: (inout ConversionSettings) -> Void) -> ConversionSettings {
        var settings = ConversionSettings()
        settings.overwrites = true
        change(&settings)
        return settings
    }

    private func convert(
        _ input: String, _ output: String,
        _ change: (inout ConversionSettings) -> Void = { _ in }
    ) async throws -> (path: String, report: ConversionReport) {
        let path = folder.file(output)
        let asset = try Asset.load(folder.file(input))
        let session = ConversionSession(Conversion(asset, settings: settings(change)))
        return (path, try await session.convert(to: path))
    }

    private func plan(_ input: String, _ container: OutputContainer) throws -> ConversionPlan {
        let asset = try Asset.load(folder.file(input))
        return try ConversionSession(Conversion(asset, settings: settings { _ in }))
            .plan(for: container)
    }

    // MARK: AAC of broadcasts

    @Test(
        "AAC with a header before each sample is copied into mp4, mov and m4a, frame for frame",
        arguments: ["mp4", "mov", "m4a", "mkv"])
    func transportAAC(_ ending: String) async throws {
        for (name, hasFrames) in [("in.ts", true), ("in.aac", false)] {
            try encode(name, ["-c:a", "aac"], pictures: hasFrames)
            let made = try await convert(name, "out.\(ending)")
            #expect(
                made.report.tracks.last?.isCopied == true && made.report.tracks.last?.codec == "aac"
            )
            let (own, new) = (try heard(folder.file(name)), try heard(made.path))
            // a container without edit lists begins with the priming, as the source does
            #expect(abs(own.count - new.count) <= 2112)
            let found = try place(new)
            #expect(found.like > 0.999 && abs(found.shift) <= 1024, "\(name): \(found)")
            #expect(try Asset.load(made.path).tracks.contains { $0.format?.audio?.codec == .aac })
        }
    }

    @Test("sound copied into Matroska ends where it ended, not with its last packet")
    func discardPadding() async throws {
        let source = try encode("in.mp4", ["-c:a", "aac"], pictures: true)
        let made = try await convert("in.mp4", "out.mkv")
        let own = try heard(source).count
        #expect(own - Self.frames < 1024)
        // Matroska has no place for AAC's priming: everything begins that much later
        #expect(try heard(made.path).count == Self.frames + 1024)
    }

    // MARK: What is read

    @Test(
        "WAV of 8 bits, floating point and ADPCM, MP2, E-AC-3, DTS and ALAC are read",
        arguments: [
            ("u8.wav", "pcm_u8", 0.999), ("f32.wav", "pcm_f32le", 0.9999),
            ("f64.wav", "pcm_f64le", 0.9999), ("ms.wav", "adpcm_ms", 0.98),
            ("ima.wav", "adpcm_ima_wav", 0.98), ("alaw.wav", "pcm_alaw", 0.99),
            ("mulaw.wav", "pcm_mulaw", 0.99), ("a.mp2", "mp2", 0.99), ("mp2.ts", "mp2", 0.99),
            ("eac3.mkv", "eac3", 0.99), ("eac3.mp4", "eac3", 0.99), ("dts.mkv", "dca", 0.99),
            ("dts.ts", "dca", 0.99), ("alac.m4a", "alac", 0.9999), ("alac.mkv", "alac", 0.9999),
            ("alac.mov", "alac", 0.9999),
        ])
    func read(_ name: String, _ codec: String, _ least: Double) async throws {
        try encode(name, ["-c:a", codec, "-strict", "-2"])
        let made = try await convert(name, "out.wav")
        let own = try heard(folder.file(name))
        let new = try heard(made.path)
        #expect(abs(own.count - new.count) <= 1536, "\(own.count) \(new.count)")
        let found = try place(new)
        #expect(found.like > least, "\(found)")
        let exact = try place(own)
        #expect(abs(found.shift - exact.shift) <= 1, "\(found) \(exact)")
        #expect(made.report.damagedAudio == 0)
    }

    @Test(
        "sound without loss in Matroska ends at its last frame, whatever the milliseconds say",
        arguments: ["alac", "flac", "pcm_s16le", "pcm_s24le"])
    func exactEnd(_ codec: String) async throws {
        for rate in [44_100, 48_000, 96_000] {
            let source = try encode("in.mka", ["-c:a", codec, "-ar", "\(rate)"])
            let own = try heard(source, rate: rate).count
            let made = try await convert("in.mka", "out.wav")
            #expect(try heard(made.path, rate: rate).count == own, "\(rate)")
            let copied = try await convert("in.mka", "out.mp4")
            #expect(copied.report.duration.ticks(per: Int32(rate), rounding: .nearest) == own)
            #expect(try heard(copied.path, rate: rate).count == own, "\(rate)")
        }
    }

    @Test(
        "raw AC-3, E-AC-3, DTS and AMR are read",
        arguments: [
            ("a.ac3", "ac3", "ac3"), ("a.eac3", "eac3", "eac3"), ("a.dts", "dca", "dts"),
        ])
    func raw(_ name: String, _ codec: String, _ known: String) async throws {
        let path = try encode(name, ["-c:a", codec, "-strict", "-2"])
        let asset = try Asset.load(path)
        #expect(asset.tracks.map { $0.format?.audio?.codec?.rawValue } == [known])
        let made = try await convert(name, "out.m4a")
        let found = try place(try heard(made.path))
        #expect(found.like > 0.98, "\(found)")
        let kept = try await convert(name, "out.mkv")
        #expect(kept.report.tracks.allSatisfy { $0.isCopied })
    }

    @Test("raw AMR is read, of both widths", arguments: [(false, 8000, 13), (true, 16_000, 18)])
    func speech(_ isWide: Bool, _ rate: Int, _ size: Int) async throws {
        let head = isWide ? "#!AMR-WB\n" : "#!AMR\n"
        // the lowest rate, without damage
        let frame = [UInt8(4)] + [UInt8](repeating: 0x55, count: size - 1)
        let bytes = Array(head.utf8) + [[UInt8]](repeating: frame, count: 50).joined()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("a.amr")))
        let format = try Asset.load(folder.file("a.amr")).tracks.first?.format?.audio
        #expect(format?.codec == (isWide ? .amrWide : .amrNarrow))
        #expect(format?.sampleRate == rate)
        let made = try await convert("a.amr", "out.wav")
        #expect(made.report.damagedAudio == 0)
        let sound = try heard(made.path, rate: rate)
        #expect(sound.count == rate && sound.contains { abs($0) > 0.001 })
    }

    // MARK: What cannot be carried

    @Test("a track that cannot be read is reported in the plan and in the notes")
    func unread() async throws {
        // PCM of Blu-ray is a codec that nothing here reads
        try encode(
            "in.ts", ["-c:a", "pcm_bluray", "-ac", "2", "-mpegts_m2ts_mode", "1"], pictures: true)
        let lost = try plan("in.ts", .mp4).tracks.first { $0.source.mediaType == .audio }
        #expect(lost?.treatment == .leaveOut)
        #expect(lost?.reasons == ["its codec \"pcm_bluray\" is none that vcap knows"])
        let made = try await convert("in.ts", "out.mp4")
        #expect(made.report.notes.contains { $0.contains("pcm_bluray") }, "\(made.report.notes)")
    }

    @Test("MP2 of a broadcast becomes AAC in mp4 and stays as it is in ts")
    func broadcast() async throws {
        try encode("in.ts", ["-c:a", "mp2"], pictures: true)
        let made = try await convert("in.ts", "out.mp4")
        #expect(made.report.tracks.map(\.codec) == ["h264", "aac"])
        #expect(try place(try heard(made.path)).like > 0.99)
        let copied = try await convert("in.ts", "copy.ts")
        #expect(copied.report.tracks.map(\.codec) == ["h264", "mp2"])
        #expect(copied.report.tracks.allSatisfy { $0.isCopied })
    }

    // MARK: Files of audio only

    @Test("a WAV becomes AAC in m4a, and ALAC where that is asked for, sample for sample")
    func music() async throws {
        let lossy = try await convert("source.wav", "a.m4a")
        #expect(lossy.report.tracks.map(\.codec) == ["aac"])
        let sound = try heard(lossy.path)
        // ffmpeg 5.1 cuts no end by an edit list
        #expect((Self.frames..<Self.frames + 1024).contains(sound.count))
        #expect(lossy.report.duration.ticks(per: 48_000, rounding: .nearest) == Int64(Self.frames))
        let found = try place(sound)
        #expect(found.shift == 0 && found.like > 0.999, "\(found)")
        for ending in ["m4a", "mp4", "mov", "mkv"] {
            let exact = try await convert("source.wav", "b.\(ending)") { $0.audio = .codec(.alac) }
            #expect(exact.report.tracks.map(\.codec) == ["alac"])
            #expect(try heard(exact.path) == heard(folder.file("source.wav")), "\(ending)")
            let again = try await convert("b.\(ending)", "again.m4a")
            #expect(again.report.tracks.map(\.codec) == ["alac"])
            let (copy, source) = (try heard(again.path), try heard(folder.file("source.wav")))
            #expect(copy == source, "\(ending)")
            #expect(again.report.tracks.allSatisfy { $0.isCopied }, "\(ending)")
        }
    }

    @Test(
        "WAV, FLAC, Ogg, Opus and MP3 are written at the exact place and length",
        arguments: [
            ("wav", "pcm_s16le", 1.0), ("flac", "flac", 1.0), ("ogg", "flac", 1.0),
            ("opus", "opus", 0.99), ("mp3", "mp3", 0.99),
        ])
    func written(_ ending: String, _ codec: String, _ least: Double) async throws {
        // else ffmpeg makes 24 bits of its tone, which WAV and FLAC would keep
        try encode(
            "in.mp4", ["-c:a", "flac", "-sample_fmt", "s16", "-strict", "-2"], pictures: true)
        let made = try await convert("in.mp4", "out.\(ending)")
        #expect(made.report.tracks.map(\.codec) == [codec])
        #expect(made.report.notes.contains { $0.contains("holds audio only") })
        let sound = try heard(made.path)
        #expect(sound.count == Self.frames, "\(sound.count)")
        if least == 1 { #expect(try sound == heard(folder.file("source.wav"))) }
        let found = try place(sound)
        #expect(found.shift == 0 && found.like > least - 1e-6, "\(found)")
        // and copied from itself
        let again = try await convert("out.\(ending)", "again.\(ending)")
        #expect(again.report.tracks.first?.isCopied == true)
        #expect(try heard(again.path).count == Self.frames)
        let part = try await convert("out.\(ending)", "part.\(ending)") {
            $0.range = MediaTimeRange(start: .milliseconds(500), duration: .seconds(1))
        }
        #expect(try heard(part.path).count == Self.rate)
    }

    @Test("chapters that a WAV has no place for are reported")
    func chapters() async throws {
        let list = folder.file("chapters.txt")
        try ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=300\nEND=800\ntitle=One\n"
            .write(toFile: list, atomically: false, encoding: .utf8)
        try encode("in.mka", ["-i", list, "-map_chapters", "1", "-c:a", "flac"])
        #expect(try plan("in.mka", .wav).losses.contains { $0.contains("chapter") })
        #expect(try plan("in.mka", .m4a).losses.isEmpty)
        let made = try await convert("in.mka", "out.wav")
        #expect(made.report.notes.contains { $0.contains("chapter") }, "\(made.report.notes)")
    }
}
