import FoundationEssentials
import Movie

/// Photos and movies of live photos, byte by byte from the published formats.
package struct LivePhotoBuilder {
    package let folder: TemporaryFolder

    package init(folder: TemporaryFolder) { self.folder = folder }

    /// A clip of 12 pictures, numbered from 40, 0.4 s.
    package func movie(_ name: String = "film.mp4", identifier: String? = nil) throws -> [UInt8] {
        var clip = GeneratedClip()
        clip.firstNumber = 40
        if let identifier {
            clip.options = [
                "-movflags", "use_metadata_tags", "-metadata",
                "com.apple.quicktime.content.identifier=\(identifier)",
            ]
        }
        let path = folder.file(name)
        try clip.write(to: path)
        return try bytes(of: path)
    }

    /// A frame without any notes.
    package func jpeg() throws -> [UInt8] {
        let path = folder.file("plain.jpg")
        guard let ffmpeg = Program.tool("ffmpeg") else { throw Missing() }
        let result = try ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", path,
        ])
        guard result.status == 0 else { throw Missing() }
        return try bytes(of: path)
    }

    package func bytes(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    @discardableResult
    package func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// A tool that is not installed, or a box that is not there.
    package struct Missing: Error {}

    private static func found<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }

    // MARK: JPEG

    package static func segment(_ signature: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(signature.utf8) + body
        let length = content.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    package static func xmp(_ packet: String) -> [UInt8] {
        segment("http://ns.adobe.com/xap/1.0/\0", Array(packet.utf8))
    }

    /// Puts segments behind the photo's first two bytes.
    package static func photo(_ jpeg: [UInt8], _ segments: [UInt8]...) -> [UInt8] {
        Array(jpeg[..<2]) + segments.joined() + jpeg[2...]
    }

    // MARK: XMP

    private static func description(_ attributes: String, _ body: String = "") -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
        xmlns:Container="http://ns.google.com/photos/1.0/container/" \
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \(attributes)>\(body)\
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }

    /// - Parameter lengths: of the movies the directory names.
    package static func motionPhoto(
        lengths: [Int], time: Int = 200_000, more: String = "", mime: String = "image/jpeg"
    ) -> String {
        let movies = lengths.map {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"video/mp4\" "
                + "Item:Semantic=\"MotionPhoto\" Item:Length=\"\($0)\" Item:Padding=\"0\"/></rdf:li>"
        }
        return description(
            "GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\" "
                + "GCamera:MotionPhotoPresentationTimestampUs=\"\(time)\"",
            "<Container:Directory><rdf:Seq><rdf:li rdf:parseType=\"Resource\">"
                + "<Container:Item Item:Mime=\"\(mime)\" Item:Semantic=\"Primary\" "
                + "Item:Length=\"0\" Item:Padding=\"0\"/></rdf:li>\(more)"
                + movies.joined() + "</rdf:Seq></Container:Directory>")
    }

    /// The same as elements instead of attributes, which XMP allows as well, and another prefix.
    package static func motionPhotoElements(length: Int) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:C="http://ns.google.com/photos/1.0/camera/" \
        xmlns:D="http://ns.google.com/photos/1.0/container/" \
        xmlns:I="http://ns.google.com/photos/1.0/container/item/"><C:MotionPhoto>1</C:MotionPhoto>\
        <C:MotionPhotoPresentationTimestampUs>-1</C:MotionPhotoPresentationTimestampUs>\
        <D:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><D:Item rdf:parseType="Resource">\
        <I:Semantic>Primary</I:Semantic><I:Mime>image/jpeg</I:Mime></D:Item></rdf:li>\
        <rdf:li rdf:parseType="Resource"><D:Item rdf:parseType="Resource">\
        <I:Semantic>MotionPhoto</I:Semantic><I:Mime>video/mp4</I:Mime><I:Length>\(length)</I:Length>\
        </D:Item></rdf:li></rdf:Seq></D:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }

    package static func microVideo(offset: Int) -> String {
        description(
            "GCamera:MicroVideo=\"1\" GCamera:MicroVideoVersion=\"1\" "
                + "GCamera:MicroVideoOffset=\"\(offset)\" "
                + "GCamera:MicroVideoPresentationTimestampUs=\"100000\"")
    }

    // MARK: Samsung

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Blocks behind the photo, and their directory.
    package static func samsungTrailer(_ blocks: [(kind: Int, name: String, data: [UInt8])])
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var starts: [(kind: Int, start: Int, size: Int)] = []
        for block in blocks {
            let start = bytes.count
            bytes += [0, 0] + little(block.kind, 2) + little(block.name.utf8.count, 4)
            bytes += Array(block.name.utf8) + block.data
            starts.append((block.kind, start, bytes.count - start))
        }
        var directory = Array("SEFH".utf8) + little(107, 4) + little(blocks.count, 4)
        for entry in starts {
            directory += [0, 0] + little(entry.kind, 2)
            directory += little(bytes.count - entry.start, 4) + little(entry.size, 4)
        }
        return bytes + directory + little(directory.count, 4) + Array("SEFT".utf8)
    }

    // MARK: Apple

    /// The Exif block of a photo with a content identifier, from the TIFF header on.
    package static func appleExif(_ identifier: String) -> [UInt8] {
        let name = Array(identifier.utf8) + [0]
        var note = BoxBuilder()
        note.raw(Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8))
        note.u16(1)
        entry(&note, tag: 0x11, type: 2, count: name.count, value: 14 + 2 + 12 + 4)
        note.u32(0)
        note.raw(name)
        var exif = BoxBuilder()
        exif.raw(Array("MM".utf8) + [0, 42])
        exif.u32(8)
        exif.u16(1)
        entry(&exif, tag: 0x8769, type: 4, count: 1, value: 26)
        exif.u32(0)
        exif.u16(1)
        entry(&exif, tag: 0x927C, type: 7, count: note.bytes.count, value: 44)
        exif.u32(0)
        exif.raw(note.bytes)
        return exif.bytes
    }

    /// The Exif block of a photo that says when it was taken, from the TIFF header on.
    /// - Parameter time: "2026:11:22 03:04:05".
    package static func exif(taken time: String, fraction: String = "00") -> [UInt8] {
        let text = Array(time.utf8) + [0]
        var exif = BoxBuilder()
        exif.raw(Array("MM".utf8) + [0, 42])
        exif.u32(8)
        exif.u16(1)
        entry(&exif, tag: 0x8769, type: 4, count: 1, value: 26)
        exif.u32(0)
        exif.u16(2)
        entry(&exif, tag: 0x9003, type: 2, count: text.count, value: 56)
        // up to four bytes lie where longer values are pointed at
        let digits = Array((fraction + "\0\0\0\0").utf8.prefix(4))
        entry(
            &exif, tag: 0x9291, type: 2, count: fraction.utf8.count + 1,
            value: digits.reduce(0) { $0 << 8 | Int($1) })
        exif.u32(0)
        exif.raw(text)
        return exif.bytes
    }

    private static func entry(
        _ box: inout BoxBuilder, tag: UInt16, type: UInt16, count: Int, value: Int
    ) {
        box.u16(tag)
        box.u16(type)
        box.u32(UInt32(count))
        box.u32(UInt32(value))
    }

    /// A movie with one more track: timed metadata that shows its only sample at an instant.
    /// - Parameter time: milliseconds, the movie's ticks.
    package static func withStillImageTime(_ movie: [UInt8], at time: UInt32) throws -> [UInt8] {
        let start = try found(place(of: "moov", in: movie))
        let key = Array("com.apple.quicktime.still-image-time".utf8)
        var track = BoxBuilder()
        track.box("trak") { track in
            track.box("tkhd") {
                $0.full(0, 1)
                $0.zeros(8)
                $0.u32(9)
                $0.zeros(68)
            }
            track.box("edts") {
                $0.box("elst") { list in
                    list.full(0, 0)
                    list.u32(2)
                    for (length, media) in [(time, Int32(-1)), (20, 0)] {
                        list.u32(length)
                        list.i32(media)
                        list.u32(0x10000)
                    }
                }
            }
            track.box("mdia") { media in
                media.box("mdhd") {
                    $0.full(0, 0)
                    $0.zeros(8)
                    $0.u32(600)
                    $0.u32(20)
                    $0.u32(0x55C4_0000)
                }
                media.append(HandlerBox(componentType: "mhlr", handler: "meta", name: "Core"))
                media.box("minf") {
                    $0.box("stbl") { tables in
                        tables.box("stsd") {
                            $0.full(0, 0)
                            $0.u32(1)
                            $0.box("mebx") { entry in
                                entry.zeros(6)
                                entry.u16(1)
                                entry.box("keys") {
                                    $0.box(FourCC(code: 1)) {
                                        $0.box("keyd") {
                                            $0.code("mdta")
                                            $0.raw(key)
                                        }
                                    }
                                }
                            }
                        }
                        tables.box("stts") { table(&$0, [1, 1, 20]) }
                        tables.box("stsc") { table(&$0, [1, 1, 1, 1]) }
                        tables.box("stsz") { table(&$0, [9, 1]) }
                        tables.box("stco") { table(&$0, [1, UInt32(movie.count)]) }
                    }
                }
            }
        }
        var whole = movie
        whole.insert(contentsOf: track.bytes, at: try found(end(of: start, in: movie)))
        var builder = BoxBuilder()
        builder.raw(whole)
        builder.patch(
            UInt32(try found(end(of: start, in: movie)) - start + track.bytes.count), at: start)
        // the sample lies behind everything
        var sample = BoxBuilder()
        sample.box("mdat") {
            $0.u32(9)
            $0.u32(1)
            $0.u8(0)
        }
        return builder.bytes + sample.bytes
    }

    private static func table(_ box: inout BoxBuilder, _ words: [UInt32]) {
        box.full(0, 0)
        for word in words { box.u32(word) }
    }

    /// Where a box at the top begins.
    private static func place(of type: FourCC, in bytes: [UInt8]) -> Int? {
        var at = 0
        while at + 8 <= bytes.count {
            if bytes[(at + 4)..<(at + 8)].elementsEqual(type.bytes) { return at }
            guard let next = end(of: at, in: bytes), next > at else { return nil }
            at = next
        }
        return nil
    }

    private static func end(of start: Int, in bytes: [UInt8]) -> Int? {
        start + bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: HEIC

    /// A HEIC file's boxes around items of XMP and Exif; its picture is none.
    package static func heic(xmp: String?, exif: [UInt8]?, movie: [UInt8]?) -> [UInt8] {
        var items: [(type: FourCC, mime: String?, bytes: [UInt8])] = [("hvc1", nil, [1, 2, 3])]
        if let xmp { items.append(("mime", "application/rdf+xml", Array(xmp.utf8))) }
        if let exif { items.append(("Exif", nil, [0, 0, 0, 6] + Array("Exif\0\0".utf8) + exif)) }
        var file = BoxBuilder()
        file.box("ftyp") {
            $0.code("heic")
            $0.u32(0)
            $0.code("mif1")
        }
        var places: [Int] = []
        var data = BoxBuilder()
        data.box("mdat") { box in
            for item in items {
                places.append(file.bytes.count + box.bytes.count)
                box.raw(item.bytes)
            }
        }
        file.raw(data.bytes)
        file.box("meta") { meta in
            meta.full(0, 0)
            meta.box("iinf") { info in
                info.full(0, 0)
                info.u16(UInt16(items.count))
                for (index, item) in items.enumerated() {
                    info.box("infe") {
                        $0.full(2, 0)
                        $0.u16(UInt16(index + 1))
                        $0.u16(0)
                        $0.code(item.type)
                        $0.text("")
                        if let mime = item.mime { $0.text(mime) }
                    }
                }
            }
            meta.box("iloc") { list in
                list.full(1, 0)
                list.u16(0x4440)
                list.u16(UInt16(items.count))
                for (index, item) in items.enumerated() {
                    list.u16(UInt16(index + 1))
                    list.u16(0)
                    list.u16(0)
                    list.u32(0)
                    list.u16(1)
                    list.u32(UInt32(places[index]))
                    list.u32(UInt32(item.bytes.count))
                }
            }
        }
        if let movie { file.box("mpvd") { $0.raw(movie) } }
        return file.bytes
    }
}
