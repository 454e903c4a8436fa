import LibAV
import Media
import TestSupport
import Testing

@testable import Reading

/// Photos with depth, byte by byte.
struct DepthStill {
    let folder: TemporaryFolder
    let builder: LivePhotoBuilder
    let jpeg: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        builder = LivePhotoBuilder(folder: folder)
        jpeg = try builder.jpeg()
    }

    static let width = 40
    static let height = 30
    /// Known values: none, the least, the largest, and what lies between.
    static let values: [UInt16] = (0..<width * height).map { place in
        switch place {
        case 0: 0
        case 1: 1
        case 2: 65_535
        default: UInt16(truncatingIfNeeded: place &* 54_321)
        }
    }

    static func data(_ format: DepthFormat) throws -> DepthData {
        try DepthData(
            map: PixelBuffer(steps: values, width: width, height: height), format: format)
    }

    /// As vcap writes it.
    func file(_ format: DepthFormat = .millimetres, movie: [UInt8]? = nil) throws -> [UInt8] {
        PhotoContainer(
            try #require(JPEGFile(jpeg)),
            depth: try PhotoContainer.Depth(try Self.data(format), effort: .usual),
            movie: movie.map { PhotoContainer.Movie(bytes: $0, stillMicroseconds: 200_000) }
        ).bytes
    }

    func write(_ bytes: [UInt8], _ name: String = "shot.jpg") throws -> String {
        try builder.write(bytes, name)
    }

    /// As a stranger writes it: attributes, other prefixes, no name of vcap's.
    func foreign(
        _ items: [(mime: String, length: String, uri: String)],
        map: [String: String] = [:], _ payload: [UInt8]
    ) throws -> String {
        var words = [
            "ItemSemantic": "Depth", "Format": "RangeInverse", "Units": "Meters", "Near": "0.5",
            "Far": "10", "DepthURI": "android/depthmap",
        ]
        for (key, value) in map { words[key] = value.isEmpty ? nil : value }
        let attributes = words.map { "m:\($0.key)=\"\($0.value)\"" }.joined(separator: " ")
        let list = items.map {
            "<rdf:li><c:Item i:Mime=\"\($0.mime)\" i:Length=\"\($0.length)\" i:DataURI=\"\($0.uri)\"/></rdf:li>"
        }.joined()
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:d="http://ns.google.com/photos/dd/1.0/device/" \
            xmlns:c="http://ns.google.com/photos/dd/1.0/container/" \
            xmlns:i="http://ns.google.com/photos/dd/1.0/item/" \
            xmlns:k="http://ns.google.com/photos/dd/1.0/camera/" \
            xmlns:m="http://ns.google.com/photos/dd/1.0/depthmap/">\
            <d:Container><c:Directory><rdf:Seq>\(list)</rdf:Seq></c:Directory></d:Container>\
            <d:Cameras><rdf:Seq><rdf:li><d:Camera><k:DepthMap \(attributes)/></d:Camera></rdf:li></rdf:Seq>\
            </d:Cameras></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return try write(
            LivePhotoBuilder.photo(jpeg, LivePhotoBuilder.xmp(packet)) + payload, "foreign.jpg")
    }

    static let primary = (mime: "image/jpeg", length: "0", uri: "primary_image")

    /// Grey of 8 bits by another program.
    func grayPNG(_ size: String = "8x4", _ name: String = "gray.png") throws -> [UInt8] {
        let path = folder.file(name)
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-y", "-f", "lavfi", "-i", "color=black:s=\(size)"]
                + ["-vf", "format=gray,geq=lum=N+X*30", "-frames:v", "1", path])
        #expect(made.status == 0, "\(made.errorText)")
        return try builder.bytes(of: path)
    }
}

@Suite("The depth in a photo")
struct EmbeddedDepthTests {
    private let still: DepthStill

    init() throws { still = try DepthStill() }

    @Test(
        "every value comes back to the unit, with all that is said of it",
        arguments: [
            DepthFormat.millimetres, DepthFormat(unit: .metres(0.00025), isFiltered: true),
            DepthFormat(unit: .metres(1.0 / 3), accuracy: .relative),
            DepthFormat(unit: .inverseMetres(0.0001)),
            DepthFormat(unit: .pixels(0.0625)),
            DepthFormat(
                unit: .pixels(0.0625),
                calibration: DepthCalibration(focalLength: 702.5, baseline: 0.06)),
        ])
    func exact(_ format: DepthFormat) throws {
        let bytes = try still.file(format)
        let depth = try #require(try EmbeddedDepth.find(try still.write(bytes)))
        #expect(depth.isExact && depth.format == format && depth.orientation == .upright)
        let data = try depth.depthData()
        #expect((data.width, data.height) == (DepthStill.width, DepthStill.height))
        #expect(data.steps == DepthStill.values)
        #expect(data.format == format)
        // what another program left behind the file is nothing of it
        let more = try still.write(bytes + Array(repeating: 7, count: 1000), "more.jpg")
        #expect(try EmbeddedDepth.find(more)?.depthData().steps == DepthStill.values)
    }

    @Test("a photo without depth, a movie and a missing file")
    func none() throws {
        #expect(try EmbeddedDepth.find(try still.write(still.jpeg)) == nil)
        #expect(
            try EmbeddedDepth.find(try still.write(try still.builder.movie(), "x.mp4")) == nil)
        let error = #expect(throws: MediaError.self) {
            try EmbeddedDepth.find(still.folder.file("missing.jpg"))
        }
        #expect(error?.code == .noSuchFile)
    }

    @Test("with a movie behind it both are found, and the photo taken out keeps its depth")
    func live() throws {
        let movie = try still.builder.movie()
        let path = try still.write(try still.file(movie: movie))
        let live = try #require(try LivePhoto.find(path))
        #expect(live.dialect == .motionPhoto && live.stillTime == MediaTime(value: 1, timescale: 5))
        #expect(live.movie.tracks.contains { $0.mediaType == .video })
        #expect(try EmbeddedDepth.find(path)?.depthData().steps == DepthStill.values)
        let alone = try still.write(try live.photo(), "alone.jpg")
        #expect(try LivePhoto.find(alone) == nil)
        #expect(try EmbeddedDepth.find(alone)?.depthData().steps == DepthStill.values)
        // a film that was cut off does not take the depth with it
        let whole = try still.builder.bytes(of: path)
        let cut = try still.write(Array(whole.dropLast(movie.count - 5)), "cut.jpg")
        #expect(throws: MediaError.self) { try LivePhoto.find(cut) }
        let saved = try still.write(try #require(try LivePhoto.photo(of: cut)), "saved.jpg")
        #expect(try EmbeddedDepth.find(saved)?.depthData().steps == DepthStill.values)
    }

    @Test("what another program changed is read by its own words")
    func changed() throws {
        let text = String(decoding: try still.file(), as: Unicode.ASCII.self)
        #expect(text.contains("DepthMap:Far=\"65.535\""))
        var bytes = try still.file()
        let mark = Array("DepthMap:Far=\"65.535\"".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        bytes.replaceSubrange(
            place..<(place + mark.count), with: Array("DepthMap:Far=\"32.767\"".utf8))
        let depth = try #require(try EmbeddedDepth.find(try still.write(bytes)))
        #expect(!depth.isExact)
        let data = try depth.depthData()
        let distance = try #require(data.distance(x: 2, y: 0))
        #expect(abs(distance - 32.767) < 0.001)
    }

    @Test("a stranger's file of bytes, PNG and JPEG", arguments: ["RangeInverse", "rangelinear"])
    func stranger(_ form: String) throws {
        let png = try still.grayPNG()
        let path = try still.foreign(
            [
                DepthStill.primary, ("image/jpeg", "3", "android/original_image"),
                ("image/png", "\(png.count)", "android/depthmap"),
            ], map: ["Format": form], [1, 2, 3] + png)
        let depth = try #require(try EmbeddedDepth.find(path))
        #expect(!depth.isExact && depth.format.accuracy == .absolute)
        let data = try depth.depthData()
        for x in 0..<8 {
            let part = Double(x * 30) / 255
            let wanted =
                form == "RangeInverse" ? 10 * 0.5 / (10 - part * 9.5) : 0.5 + part * 9.5
            let found = try #require(data.distance(x: x, y: 1))
            #expect(abs(found - wanted) < wanted * 0.001, "\(found) \(wanted)")
        }
        let gray = try still.foreign(
            [DepthStill.primary, ("image/jpeg", "\(still.jpeg.count)", "android/depthmap")],
            map: ["Units": "None"], still.jpeg)
        let relative = try #require(try EmbeddedDepth.find(gray))
        #expect(relative.format.accuracy == .relative)
        #expect(try relative.depthData().width == 64)
    }
}

@Suite("Depth in photos from strangers")
struct HostileDepthTests {
    private let still: DepthStill

    init() throws { still = try DepthStill() }

    private func refusal(_ path: String) -> MediaError? {
        do throws(MediaError) {
            _ = try EmbeddedDepth.find(path)?.depthData()
            return nil
        } catch { return error }
    }

    private func expectRefused(
        _ path: String, _ code: MediaError.Code, _ words: String,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let error = refusal(path)
        #expect(error?.code == code, sourceLocation: place)
        #expect(
            error?.message.contains(words) == true && error?.message.contains(path) == true,
            "\(error?.message ?? "taken")", sourceLocation: place)
    }

    private func png(length: String, uri: String = "android/depthmap") -> (
        mime: String, length: String, uri: String
    ) { ("image/png", length, uri) }

    @Test("lengths are held against the file")
    func lengths() throws {
        let png = try still.grayPNG()
        for length in ["0", "-5", "1e3", "", "9223372036854775807", "\(png.count + 100_000)"] {
            expectRefused(
                try still.foreign([DepthStill.primary, self.png(length: length)], png),
                .damagedFile, "length")
        }
        let first = png.count
        // short, and beyond the end
        expectRefused(
            try still.foreign([DepthStill.primary, self.png(length: "\(first - 40)")], png),
            .damagedFile, "Cannot read the depth")
        expectRefused(
            try still.foreign([DepthStill.primary, self.png(length: "\(first + 40)")], png),
            .damagedFile, "lies where its list says")
        expectRefused(
            try still.foreign([DepthStill.primary, self.png(length: "\(first)")], []),
            .damagedFile, "lies where its list says")
    }

    @Test("a list that names the depth twice, not at all, or as the photo")
    func names() throws {
        let png = try still.grayPNG()
        let item = self.png(length: "\(png.count)")
        expectRefused(
            try still.foreign([DepthStill.primary, item, item], png + png), .damagedFile,
            "2 times")
        expectRefused(try still.foreign([DepthStill.primary], png), .damagedFile, "0 times")
        expectRefused(try still.foreign([item, item], png), .damagedFile, "2 times")
        expectRefused(try still.foreign([item], png), .damagedFile, "1 times")
        expectRefused(
            try still.foreign([DepthStill.primary, item], map: ["DepthURI": ""], png),
            .damagedFile, "not where")
        expectRefused(
            try still.foreign(
                [DepthStill.primary, ("video/mp4", "\(png.count)", "android/depthmap")], png),
            .unsupported, "video/mp4")
    }

    @Test("ranges that none can be, and units that are not read")
    func ranges() throws {
        let png = try still.grayPNG()
        let items = [DepthStill.primary, self.png(length: "\(png.count)")]
        for map in [
            ["Near": "nan"], ["Far": "inf"], ["Near": "20"], ["Near": "0"], ["Near": ""],
            ["Format": "Range"], ["Far": "-1"],
        ] {
            expectRefused(try still.foreign(items, map: map, png), .damagedFile, "depth")
        }
        expectRefused(
            try still.foreign(items, map: ["Units": "Diopters"], png), .unsupported, "diopters")
        expectRefused(
            try still.foreign(items, map: ["Near": "1e-300"], png), .unsupported, "no unit")
    }

    @Test("an image that is huge, coloured or damaged")
    func images() throws {
        var huge = try still.grayPNG()
        huge.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        let item = self.png(length: "\(huge.count)")
        expectRefused(
            try still.foreign([DepthStill.primary, item], huge), .overLimit, "65535x65535")
        huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1])
        expectRefused(try still.foreign([DepthStill.primary, item], huge), .overLimit, "limit")
        var damaged = try still.grayPNG("64x64", "large.png")
        damaged[damaged.count - 30] ^= 0x55
        expectRefused(
            try still.foreign(
                [DepthStill.primary, self.png(length: "\(damaged.count)")], damaged),
            .damagedFile, "Cannot read the depth")
        let path = still.folder.file("red.png")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "color=red:s=8x8", "-vf", "format=rgb24"]
                + ["-frames:v", "1", path])
        #expect(made.status == 0)
        let red = try still.builder.bytes(of: path)
        expectRefused(
            try still.foreign([DepthStill.primary, self.png(length: "\(red.count)")], red),
            .unsupported, "coloured")
    }

    @Test(
        "a thousand files that were changed anywhere are refused or read, and never more than that")
    func mutations() throws {
        var random = SplitMix(seed: 20)
        let movie = try still.builder.movie()
        let sources = [try still.file(), try still.file(movie: movie)]
        var counts = (read: 0, refused: 0, none: 0)
        for round in 0..<1000 {
            var bytes = sources[round % 2]
            // the packet is where most can be done
            let head = min(bytes.count, 6000)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place =
                    Bool.random(using: &random)
                    ? Int.random(in: 0..<head, using: &random)
                    : Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2:
                    // a digit where there is one
                    let digits = bytes[..<head].indices.filter { (0x30...0x39).contains(bytes[$0]) }
                    if let digit = digits.randomElement(using: &random) {
                        bytes[digit] = UInt8.random(in: 0x30...0x39, using: &random)
                    }
                default:
                    if round % 5 == 0 { bytes = Array(bytes[..<max(100, place)]) }
                }
                if bytes.count <= head { break }
            }
            let path = try still.write(bytes, "changed.jpg")
            do throws(MediaError) {
                guard let depth = try EmbeddedDepth.find(path) else {
                    counts.none += 1
                    continue
                }
                let data = try depth.depthData()
                #expect(data.width * data.height <= DepthImage.mostPixels)
                counts.read += 1
            } catch {
                #expect(!error.message.isEmpty)
                counts.refused += 1
            }
        }
        // the control: all of them happen
        #expect(counts.read > 50 && counts.refused > 50 && counts.none > 5, "\(counts)")
    }
}
