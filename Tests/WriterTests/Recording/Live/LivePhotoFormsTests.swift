import Foundation
import LibAV
import Media
import Movie
import TestSupport
import Testing

@testable import Reading
@testable import Recording

@Suite("The files of live photos")
struct LivePhotoFormsTests {
    private static let identifier = "0A1B2C3D-0000-4000-8000-123456789ABC"
    private let folder: TemporaryFolder
    private let builder: LivePhotoBuilder

    init() throws {
        folder = try TemporaryFolder()
        builder = LivePhotoBuilder(folder: folder)
    }

    /// A photo as the program writes it.
    private func jpeg(_ identifier: String?) throws -> [UInt8] {
        var exif = ExifBlock(
            model: "Test camera", software: "a test",
            taken: ExifBlock.Moment(nanosecondsSinceEpoch: 0))
        exif.contentIdentifier = identifier
        return try #require(JPEGFile(try builder.jpeg())).adding(exif)
    }

    /// The frames by the reader's clock, and the photo's among them; the beeps with their flashes.
    private func expectFilm(_ live: LivePhoto, frame: Int, _ rig: LivePhotoRig) throws {
        let movie = live.movie
        let still = try #require(live.stillTime)
        let track = try #require(movie.tracks.first { $0.mediaType == .video })
        let cursor = try FrameCursor(asset: movie, track: track)
        defer { cursor.close() }
        func number(at time: MediaTime) throws -> Int {
            try FrameStrip.number(in: #require(cursor.picture(at: time).pixelBuffer))
        }
        #expect(try number(at: still) == frame)
        // the first is the first whole one of the 1.5 s, and not the sync sample before
        let wanted = rig.take.time(of: frame) - 1_500_000_000
        let first = try #require(
            (0..<rig.take.frameCount).first { rig.take.time(of: $0) >= wanted })
        #expect(try number(at: .zero) == first)
        let length = rig.take.time(of: frame) - rig.take.time(of: first)
        #expect(abs(still.nanoseconds() - length) < 12_000)
        #expect(abs(movie.duration.approximateSeconds - 3) < 0.08, "\(movie.duration)")
        try expectSync(movie, from: first, rig)
    }

    private func expectSync(_ movie: Asset, from first: Int, _ rig: LivePhotoRig) throws {
        let track = try #require(movie.tracks.first { $0.mediaType == .audio })
        let rate = SyntheticTake.rate
        let cursor = try AudioCursor(
            asset: movie, track: track,
            format: AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: 1))
        defer { cursor.close() }
        let count = Int(movie.duration.ticks(per: Int32(rate), rounding: .nearest))
        let block = try cursor.read(at: 0, count: count)
        let sound = block.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let beeps = FlashBeep.beeps(in: sound, sampleRate: rate)
        let zero = rig.take.time(of: first)
        let flashes = (0..<rig.take.frameCount).filter { $0 % rig.take.frameRate == 0 }
            .map { Double(rig.take.time(of: $0) - zero) / 1e9 }
            .filter { $0 >= 0 && $0 < movie.duration.approximateSeconds - 0.05 }
        #expect(beeps.count == flashes.count && beeps.count >= 2, "\(beeps) \(flashes)")
        for (beep, flash) in zip(beeps, flashes) {
            #expect(abs(Double(beep) / Double(rate) - flash) < 0.001, "\(beep) \(flash)")
        }
    }

    @Test("the one file gives its photo, its film and the moment of the photo")
    func motionPhoto() throws {
        let rig = LivePhotoRig()
        let moment = rig.take.time(of: 58)
        let movie = try #require(try rig.movies(of: [moment])[0])
        let photo = try jpeg(nil)
        let path = try builder.write(try movie.motionPhoto(of: photo), "live.jpg")
        let live = try #require(try LivePhoto.find(path))
        #expect(live.dialect == .motionPhoto)
        try expectFilm(live, frame: 58, rig)
        // by its bytes: the Exif data where it was, the description, the photo, and the film at the very end
        let bytes = try builder.bytes(of: path)
        let exif = 4 + Int(photo[4]) << 8 + Int(photo[5])
        #expect(Array(bytes[..<exif]) == Array(photo[..<exif]))
        #expect(Array(bytes[exif..<(exif + 2)]) == [0xFF, 0xE1])
        let segment = exif + 2 + Int(bytes[exif + 2]) << 8 + Int(bytes[exif + 3])
        let packet = String(decoding: bytes[(exif + 33)..<segment], as: UTF8.self)
        let length = bytes.count - segment - (photo.count - exif)
        let time = movie.stillTime.ticks(per: 1_000_000, rounding: .up)
        for words in [
            "GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\" "
                + "GCamera:MotionPhotoPresentationTimestampUs=\"\(time)\"",
            "<Container:Item Item:Mime=\"image/jpeg\" Item:Semantic=\"Primary\" Item:Length=\"0\" ",
            "<Container:Item Item:Mime=\"video/mp4\" Item:Semantic=\"MotionPhoto\" Item:Length=\"\(length)\" ",
        ] { #expect(packet.contains(words), "\(packet)") }
        #expect(Array(bytes[segment..<(segment + photo.count - exif)]) == Array(photo[exif...]))
        #expect(Array(bytes[(bytes.count - length + 4)...].prefix(4)) == Array("ftyp".utf8))
    }

    @Test("the pair's halves find each other, and the movie marks the moment of the photo")
    func pair() throws {
        let rig = LivePhotoRig()
        let moment = rig.take.time(of: 62)
        let movie = try #require(try rig.movies(of: [moment])[0])
        let photo = try jpeg(Self.identifier)
        let path = try builder.write(photo, "live.jpg")
        let film = try builder.write(
            try movie.fileData(contentIdentifier: Self.identifier), "live.mov")
        for half in [path, film] {
            let live = try #require(try LivePhoto.find(half))
            #expect(live.dialect == .pair && live.photoPath == path)
            try expectFilm(live, frame: 62, rig)
        }
        // Apple's note by its bytes
        let apple = LivePhotoBuilder.appleExif(Self.identifier)
        let note = Array(apple[44...])
        #expect(photo.indices.contains { photo[$0...].starts(with: note) })
        // the marking track's, and the sample: its length, its key's number, and −1 in 8 bits
        let bytes = try builder.bytes(of: film)
        var keys = BoxBuilder()
        keys.box("keys") {
            $0.box(FourCC(code: 1)) {
                $0.box("keyd") {
                    $0.code("mdta")
                    $0.raw(Array("com.apple.quicktime.still-image-time".utf8))
                }
                $0.box("dtyp") {
                    $0.u32(0)
                    $0.u32(65)
                }
            }
        }
        #expect(bytes.indices.contains { bytes[$0] == 0 && bytes[$0...].starts(with: keys.bytes) })
        let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]
        #expect(bytes.indices.contains { bytes[$0] == 0 && bytes[$0...].starts(with: sample) })
        // the film is played by others, from the same frame on
        let numbers = try MovieOracle(film).frameNumbers()
        #expect(numbers.contains(62) && numbers == numbers.sorted())
        #expect(try MovieOracle(film).frameLength().approximateSeconds > 2.9)
    }

    @Test("a photo that is none cannot hold a film")
    func notAJPEG() throws {
        let movie = try #require(try LivePhotoRig().movies(of: [2_000_000_000])[0])
        #expect(throws: MediaError.self) { try movie.motionPhoto(of: [1, 2, 3]) }
    }
}
