import Media
import TestSupport
import Testing

@testable import Reading

@Suite("Live photos")
struct LivePhotoTests {
    private let folder: TemporaryFolder
    private let builder: LivePhotoBuilder

    init() throws {
        folder = try TemporaryFolder()
        builder = LivePhotoBuilder(folder: folder)
    }

    /// Decodes the film in a photo: 12 pictures with the numbers from 40 on, and the tone with them.
    private func expectFilm(_ live: LivePhoto, _ place: SourceLocation = #_sourceLocation) throws {
        let movie = live.movie
        #expect(movie.duration == MediaTime(value: 2, timescale: 5), sourceLocation: place)
        let track = try #require(movie.tracks.first { $0.mediaType == .video })
        let cursor = try FrameCursor(asset: movie, track: track)
        defer { cursor.close() }
        for frame in [0, 5, 11, 2] {
            let sample = try cursor.picture(at: MediaTime(value: Int64(frame), timescale: 30))
            let picture = try #require(sample.pixelBuffer)
            #expect(FrameStrip.number(in: picture) == 40 + frame, sourceLocation: place)
        }
    }

    private func expectPhoto(
        _ live: LivePhoto, _ wanted: [UInt8], _ place: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try live.photo() == wanted, sourceLocation: place)
        // what is taken out promises no movie any more
        let alone = try builder.write(try live.photo(), "alone.jpg")
        if live.dialect != .pair { #expect(try LivePhoto.find(alone) == nil) }
    }

    private func refusal(of path: String, _ code: MediaError.Code, naming words: String...) {
        #expect {
            try LivePhoto.find(path)
        } throws: { error in
            guard let error = error as? MediaError else { return false }
            return error.code == code && (words + [path]).allSatisfy(error.message.contains)
        }
    }

    // MARK: Motion photos

    @Test("an Android motion photo gives its film and the moment of the photo")
    func motionPhoto() throws {
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count])))
        let path = try builder.write(photo + movie, "PXL_1.MP.jpg")
        let live = try #require(try LivePhoto.find(path))
        #expect(live.dialect == .motionPhoto)
        #expect(live.stillTime == MediaTime(value: 1, timescale: 5))
        try expectFilm(live)
        var alone = photo
        let mark = Array("MotionPhoto=\"1\"".utf8)
        let place = try #require(
            alone.indices.first { alone[$0...].starts(with: mark) })
        alone[place + mark.count - 2] = 0x30
        try expectPhoto(live, alone)
    }

    @Test("properties as elements, other prefixes and no stated moment")
    func elements() throws {
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhotoElements(length: movie.count)))
        let live = try #require(
            try LivePhoto.find(try builder.write(photo + movie, "PXL_2.MP.jpg")))
        #expect(live.stillTime == nil)
        try expectFilm(live)
        #expect(try LivePhoto.find(try builder.write(try live.photo(), "a.jpg")) == nil)
    }

    @Test("a gain map between photo and film stays with the photo")
    func gainMap() throws {
        let movie = try builder.movie()
        let map = try builder.jpeg()
        let item =
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"image/jpeg\" "
            + "Item:Semantic=\"GainMap\" Item:Length=\"\(map.count)\"/></rdf:li>"
        let photo = LivePhotoBuilder.photo(
            map,
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count], more: item)))
        let live = try #require(
            try LivePhoto.find(try builder.write(photo + map + movie, "PXL_3.MP.jpg")))
        try expectFilm(live)
        #expect(try live.photo().count == photo.count + map.count)
    }

    @Test("the older micro video")
    func microVideo() throws {
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.microVideo(offset: movie.count)))
        let live = try #require(
            try LivePhoto.find(try builder.write(photo + movie, "MVIMG_1.jpg")))
        #expect(live.dialect == .microVideo)
        #expect(live.stillTime == MediaTime(value: 1, timescale: 10))
        try expectFilm(live)
        #expect(try live.photo().count == photo.count)
    }

    @Test("a HEIC motion photo with its film in a box of its own")
    func heic() throws {
        let movie = try builder.movie()
        let bytes = LivePhotoBuilder.heic(
            xmp: LivePhotoBuilder.motionPhoto(lengths: [movie.count], mime: "image/heic"),
            exif: nil,
            movie: movie)
        let live = try #require(try LivePhoto.find(try builder.write(bytes, "PXL_4.MP.heic")))
        #expect(live.dialect == .motionPhoto)
        #expect(live.stillTime == MediaTime(value: 1, timescale: 5))
        try expectFilm(live)
        #expect(try live.photo().count == bytes.count - movie.count - 8)
    }

    @Test("Samsung's trailer, other blocks around the film")
    func samsung() throws {
        let movie = try builder.movie()
        let photo = try builder.jpeg()
        let trailer = LivePhotoBuilder.samsungTrailer([
            (0x0A01, "Image_UTC_Data", Array("1700000000000".utf8)),
            (0x0A30, "MotionPhoto_Data", movie),
            (0x0A41, "Camera_Capture_Mode_Info", Array("1".utf8)),
        ])
        let live = try #require(
            try LivePhoto.find(try builder.write(photo + trailer, "20240101.jpg")))
        #expect(live.dialect == .samsung)
        #expect(live.stillTime == nil)
        try expectFilm(live)
        try expectPhoto(live, photo)
        // the same without a film is a photo
        let plain = LivePhotoBuilder.samsungTrailer([(0x0A01, "Image_UTC_Data", [0x31])])
        #expect(try LivePhoto.find(try builder.write(photo + plain, "p.jpg")) == nil)
    }

    @Test("Samsung's trailer that was left as it was when blocks were taken out")
    func shortenedSamsung() throws {
        let movie = try builder.movie()
        let photo = try builder.jpeg()
        let before = ("Image_UTC_Data", Array("1700000000000".utf8))
        let after = ("Camera_Capture_Mode_Info", [UInt8](repeating: 0x31, count: 500))
        let whole = LivePhotoBuilder.samsungTrailer([
            (0x0A01, before.0, before.1), (0x0A30, "MotionPhoto_Data", movie),
            (0x0A41, after.0, after.1),
        ])
        // the block behind the film is taken out: its place and the film's are those of the longer file
        let gone = 8 + after.0.utf8.count + after.1.count
        let start = whole.count - 8 - (12 + 3 * 12) - gone
        var shortened = whole
        shortened.removeSubrange(start..<(start + gone))
        let live = try #require(
            try LivePhoto.find(try builder.write(photo + shortened, "20240102.jpg")))
        #expect(live.dialect == .samsung)
        try expectFilm(live)
        // nothing of the photo is cut
        #expect(try live.photo().starts(with: photo))
        // the film itself is taken out: that is reported, and the photo is still to be had
        let film = try #require(whole.firstRange(of: Array("MotionPhoto_Data".utf8))).lowerBound - 8
        var filmless = whole
        filmless.removeSubrange(film..<(film + 24 + movie.count))
        let path = try builder.write(photo + filmless, "20240103.jpg")
        refusal(of: path, .damagedFile, naming: "there is none", "photo alone")
        #expect(try LivePhoto.photo(of: path) == photo)
    }

    @Test("the photo alone is had whatever became of its film")
    func photoAlone() throws {
        let movie = try builder.movie()
        let notes = LivePhotoBuilder.motionPhoto(lengths: [movie.count])
        let photo = LivePhotoBuilder.photo(try builder.jpeg(), LivePhotoBuilder.xmp(notes))
        let path = try builder.write(photo + movie.dropLast(100), "CUT.MP.jpg")
        refusal(of: path, .damagedFile, naming: "photo alone")
        #expect(try LivePhoto.photo(of: path)?.count == photo.count)
        let (half, _) = try applePair(movieName: "GONE.MOV")
        #expect(try LivePhoto.photo(of: half) == builder.bytes(of: half))
        // a photo that says nothing of a film
        let plain = try builder.write(try builder.jpeg(), "p.jpg")
        #expect(try LivePhoto.photo(of: plain) == nil)
    }

    @Test("ordinary photos, movies and other files hold no live photo")
    func ordinary() throws {
        let movie = try builder.movie("plain.mp4")
        #expect(!movie.isEmpty)
        #expect(try LivePhoto.find(folder.file("plain.mp4")) == nil)
        _ = try builder.jpeg()
        #expect(try LivePhoto.find(folder.file("plain.jpg")) == nil)
        #expect(try LivePhoto.find(try builder.write([1, 2, 3], "three")) == nil)
        #expect(try LivePhoto.find(try builder.write([], "empty")) == nil)
        #expect(
            try LivePhoto.find(
                try builder.write(LivePhotoBuilder.heic(xmp: nil, exif: nil, movie: nil), "h.heic"))
                == nil)
    }

    // MARK: Broken promises

    @Test("a length past the file's end, a wrong one and two films are refused with the reason")
    func brokenPromises() throws {
        let movie = try builder.movie()
        let jpeg = try builder.jpeg()
        func file(_ packet: String, _ name: String) throws -> String {
            try builder.write(
                LivePhotoBuilder.photo(jpeg, LivePhotoBuilder.xmp(packet)) + movie, name)
        }
        refusal(
            of: try file(LivePhotoBuilder.motionPhoto(lengths: [99_999_999]), "a.jpg"),
            .damagedFile,
            naming: "no length")
        refusal(
            of: try file(LivePhotoBuilder.motionPhoto(lengths: [movie.count - 5]), "b.jpg"),
            .damagedFile, naming: "no movie begins")
        refusal(
            of: try file(LivePhotoBuilder.motionPhoto(lengths: [movie.count, 100]), "c.jpg"),
            .damagedFile, naming: "2 movies")
        refusal(
            of: try file(LivePhotoBuilder.motionPhoto(lengths: []), "d.jpg"), .damagedFile,
            naming: "not where")
        refusal(
            of: try file(LivePhotoBuilder.motionPhoto(lengths: [-1]), "e.jpg"), .damagedFile,
            naming: "no length")
        refusal(
            of: try file(LivePhotoBuilder.microVideo(offset: 1 << 40), "f.jpg"), .damagedFile,
            naming: "before the file")
        refusal(
            of: try file(LivePhotoBuilder.microVideo(offset: 7), "g.jpg"), .damagedFile,
            naming: "no movie begins")
    }

    @Test(
        "a photo cut off at any byte of its notes or film is refused or a plain photo, never more")
    func truncation() throws {
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count])))
        let whole = photo + movie
        let steps =
            Array(stride(from: 0, to: photo.count, by: 7))
            + Array(photo.count..<whole.count).filter { $0 % 211 == 0 }
        for count in steps {
            let path = try builder.write(Array(whole[..<count]), "cut.jpg")
            let live = try? LivePhoto.find(path)
            #expect(live == nil, "cut at \(count) of \(whole.count)")
        }
    }

    @Test("a document type in the notes is not read: no entities, no bombs")
    func documentType() throws {
        let movie = try builder.movie()
        let bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]>"
            + LivePhotoBuilder.motionPhoto(lengths: [movie.count])
        #expect(XMPReader(Array(bomb.utf8)) == nil)
        #expect(XMPReader(Array("<unclosed".utf8)) == nil)
        #expect(XMPReader([]) == nil)
    }

    // MARK: Pairs

    private func applePair(
        photoIdentifier: String = "A0-1111", movieIdentifier: String? = "A0-1111",
        photoName: String = "IMG_1.JPG", movieName: String = "IMG_1.MOV"
    ) throws -> (photo: String, movie: String) {
        let exif = LivePhotoBuilder.segment("Exif\0\0", LivePhotoBuilder.appleExif(photoIdentifier))
        let photo = try builder.write(LivePhotoBuilder.photo(try builder.jpeg(), exif), photoName)
        let movie = try builder.movie("film.mov", identifier: movieIdentifier)
        let timed = try LivePhotoBuilder.withStillImageTime(movie, at: 250)
        return (photo, try builder.write(timed, movieName))
    }

    @Test("an Apple pair is found from either half, and given as two in any order")
    func pair() throws {
        let (photo, movie) = try applePair()
        for live in [
            try #require(try LivePhoto.find(photo)), try #require(try LivePhoto.find(movie)),
            try LivePhoto.pair(photo, movie), try LivePhoto.pair(movie, photo),
        ] {
            #expect(live.dialect == .pair)
            #expect(live.photoPath == photo)
            #expect(live.movie.path == movie)
            #expect(live.stillTime == MediaTime(value: 1, timescale: 4))
            try expectFilm(live)
            try expectPhoto(live, try builder.bytes(of: photo))
        }
    }

    @Test("a HEIC half names its movie, too")
    func heicPair() throws {
        let (_, movie) = try applePair(photoName: "OTHER.JPG", movieName: "IMG_2.mov")
        let photo = try builder.write(
            LivePhotoBuilder.heic(
                xmp: nil, exif: LivePhotoBuilder.appleExif("A0-1111"), movie: nil),
            "IMG_2.HEIC")
        #expect(try LivePhoto.find(photo)?.movie.path == movie)
        #expect(try LivePhoto.find(movie)?.photoPath == photo)
    }

    @Test("a movie whose photo is gone is still a film with its moment")
    func movieAlone() throws {
        let (_, movie) = try applePair(photoName: "ELSEWHERE.JPG")
        let live = try #require(try LivePhoto.find(movie))
        #expect(live.photoPath == nil)
        #expect(live.stillTime == MediaTime(value: 1, timescale: 4))
        #expect(throws: MediaError.self) { try live.photo() }
    }

    @Test("a missing half, another identifier and two films are refused with the reason")
    func brokenPairs() throws {
        let (photo, _) = try applePair(movieName: "GONE.MOV")
        refusal(of: photo, .noSuchFile, naming: "no movie")
        let (other, movie) = try applePair(movieIdentifier: "B0-2222")
        refusal(of: other, .unsupported, naming: "another content identifier", "IMG_1.MOV")
        #expect {
            try LivePhoto.pair(other, movie)
        } throws: {
            "\($0)".contains("differ (A0-1111, B0-2222)")
        }
        let (_, plain) = try applePair(movieIdentifier: nil, movieName: "P.MOV")
        #expect {
            try LivePhoto.pair(other, plain)
        } throws: {
            "\($0)".contains("the movie has no content identifier")
        }
        #expect {
            try LivePhoto.pair(plain, movie)
        } throws: {
            "\($0)".contains("neither")
        }
        #expect(throws: MediaError.self) { try LivePhoto.pair(other, folder.file("none.mov")) }
    }
}
