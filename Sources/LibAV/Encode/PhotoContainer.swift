package import Media

/// A photo and what belongs to it in one file, as Android's cameras write it: the JPEG, behind it the depth, behind that
/// the movie, and in the JPEG's XMP packet the list of them with their lengths. A pure value.
///
/// Two lists stand in it, since readers know one or the other: that of motion photos, and Dynamic Depth's, which names
/// things by URIs. Both have the same things in the same order.
///
/// Source: Dynamic Depth 1.0; Google's Motion Photo format 1.0; XMP (ISO 16684-1).
package struct PhotoContainer: Sendable {
    /// Film behind the photo.
    package struct Movie: Sendable {
        package let bytes: [UInt8]
        /// When in it the photo was taken (µs).
        package let stillMicroseconds: Int64

        package init(bytes: [UInt8], stillMicroseconds: Int64) {
            self.bytes = bytes
            self.stillMicroseconds = stillMicroseconds
        }
    }

    /// Distances of the photo's points.
    package struct Depth: Sendable {
        /// A PNG of 16-bit grey.
        let image: [UInt8]
        let format: DepthFormat

        /// - Parameter data: as it lies in the file: turned as the JPEG's picture is.
        /// - Throws: `encoderFailed`.
        package init(
            _ data: DepthData, effort: StillEncoder.Effort
        ) throws(MediaError) {
            let range = DepthRange(of: data.format)
            format = data.format
            if range.form == .linear {
                // the file of the map alone, which says itself what it is
                image = try StillEncoder.encode(data, effort: effort)
            } else {
                // and what stands otherwise in it must not say that it is it
                let codes = PixelBuffer(
                    steps: data.steps.map(range.swapped), width: data.width, height: data.height)
                image = try StillEncoder.encodeGray(codes, effort: effort)
            }
        }
    }

    /// The photo alone, with its Exif data.
    package var photo: JPEGFile
    package var depth: Depth?
    package var movie: Movie?

    package init(_ photo: JPEGFile, depth: Depth? = nil, movie: Movie? = nil) {
        self.photo = photo
        self.depth = depth
        self.movie = movie
    }

    /// The file.
    package var bytes: [UInt8] {
        guard depth != nil || movie != nil else { return photo.bytes }
        return photo.adding(xmp: packet) + (depth?.image ?? []) + (movie?.bytes ?? [])
    }

    /// One thing in the file.
    private struct Item {
        let mime: String
        let semantic: String
        let uri: String
        let length: Int
    }

    private var items: [Item] {
        var items = [
            Item(mime: "image/jpeg", semantic: "Primary", uri: Self.photoURI, length: 0)
        ]
        if let depth {
            items.append(
                Item(
                    mime: "image/png", semantic: "Depth", uri: Self.depthURI,
                    length: depth.image.count))
        }
        if let movie {
            items.append(
                Item(
                    mime: "video/mp4", semantic: "MotionPhoto", uri: "motion_photo",
                    length: movie.bytes.count))
        }
        return items
    }

    private static let photoURI = "primary_image"
    private static let depthURI = "android/depthmap"
    /// Of what the format has no words for.
    package static let ownSpace = "urn:vcap:depth:1.0:"

    private var packet: String {
        let spaces =
            movie == nil
            ? "" : " xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\"" + motion
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
            <x:xmpmeta xmlns:x="adobe:ns:meta/">\
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about=""\(spaces)\(ownWords)>\
            \(device)\(directory)\
            </rdf:Description></rdf:RDF></x:xmpmeta>\
            <?xpacket end="r"?>
            """
    }

    private var motion: String {
        " GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\""
            + " GCamera:MotionPhotoPresentationTimestampUs=\"\(movie?.stillMicroseconds ?? -1)\""
    }

    /// The unit, by the names of a track's tags.
    private var ownWords: String {
        guard let depth else { return "" }
        return depth.format.tags.reduce(" xmlns:vcap=\"\(Self.ownSpace)\"") {
            $0 + " vcap:\($1.name)=\"\($1.value)\""
        }
    }

    /// The list of motion photos. Its usual prefixes are Dynamic Depth's, too, and readers that go by them (Android's)
    /// or by prefixes that mean one thing in a file (exiftool) need those to be its own.
    private var directory: String {
        let (list, item) = depth == nil ? ("Container", "Item") : ("GContainer", "GContainerItem")
        let entries = items.map { entry in
            """
            <rdf:li rdf:parseType="Resource"><\(list):Item \(item):Mime="\(entry.mime)" \
            \(item):Semantic="\(entry.semantic)" \(item):Length="\(entry.length)" \
            \(item):Padding="0"/></rdf:li>
            """
        }
        return """
            <\(list):Directory xmlns:\(list)="http://ns.google.com/photos/1.0/container/" \
            xmlns:\(item)="http://ns.google.com/photos/1.0/container/item/">\
            <rdf:Seq>\(entries.joined())</rdf:Seq></\(list):Directory>
            """
    }

    /// Dynamic Depth's camera and list. Elements with contents have no attributes, as RDF wants it.
    private var device: String {
        guard let depth else { return "" }
        let range = DepthRange(of: depth.format)
        let entries = items.map { item in
            """
            <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="\(item.mime)" \
            Item:Length="\(item.length)" Item:Padding="0" Item:DataURI="\(item.uri)"/></rdf:li>
            """
        }
        let map =
            """
            <Camera:DepthMap xmlns:DepthMap="http://ns.google.com/photos/dd/1.0/depthmap/" \
            DepthMap:ItemSemantic="Depth" DepthMap:Format="\(range.form.rawValue)" \
            DepthMap:Units="\(range.isMetric ? "Meters" : "None")" \
            DepthMap:Near="\(range.near.plainText)" DepthMap:Far="\(range.far.plainText)" \
            DepthMap:MeasureType="OpticalAxis" DepthMap:DepthURI="\(Self.depthURI)"/>
            """
        return """
            <Device:Container xmlns:Device="http://ns.google.com/photos/dd/1.0/device/" \
            xmlns:Container="http://ns.google.com/photos/dd/1.0/container/" \
            xmlns:Item="http://ns.google.com/photos/dd/1.0/item/" rdf:parseType="Resource">\
            <Container:Directory><rdf:Seq>\(entries.joined())</rdf:Seq></Container:Directory>\
            </Device:Container>\
            <Device:Profiles xmlns:Device="http://ns.google.com/photos/dd/1.0/device/" \
            xmlns:Profile="http://ns.google.com/photos/dd/1.0/profile/"><rdf:Seq>\
            <rdf:li rdf:parseType="Resource"><Device:Profile rdf:parseType="Resource">\
            <Profile:Type>DepthPhoto</Profile:Type>\
            <Profile:CameraIndices><rdf:Seq><rdf:li>0</rdf:li></rdf:Seq></Profile:CameraIndices>\
            </Device:Profile></rdf:li></rdf:Seq></Device:Profiles>\
            <Device:Cameras xmlns:Device="http://ns.google.com/photos/dd/1.0/device/" \
            xmlns:Camera="http://ns.google.com/photos/dd/1.0/camera/"><rdf:Seq>\
            <rdf:li rdf:parseType="Resource"><Device:Camera rdf:parseType="Resource">\
            <Camera:Image xmlns:Image="http://ns.google.com/photos/dd/1.0/image/" \
            Image:ItemSemantic="Primary" Image:ItemURI="\(Self.photoURI)"/>\(map)\
            </Device:Camera></rdf:li></rdf:Seq></Device:Cameras>
            """
    }
}
