internal import Image
internal import LibAV
public import Media
internal import Movie

/// The depth in a photo: a map of distances behind the picture of a JPEG, as `vcap photo --depth-camera` and Android's
/// cameras write it (Dynamic Depth). Found without decoding; the map is read when it is asked for.
///
/// A file of vcap's gives back the values it was given, to the unit. Of others each distance is rounded once, to 65,535
/// steps between nothing and the farthest one, or of 1 / distance between nothing and the nearest one.
public struct EmbeddedDepth: Sendable {
    /// The photo.
    public let path: String
    /// What the values of the map are.
    public let format: DepthFormat
    /// Whether they are those that were written, to the unit.
    public let isExact: Bool
    /// How the photo's stored picture, and the map as it is stored, must be turned to be upright.
    public let orientation: VideoOrientation

    private let place: DepthPlace

    /// Looks whether a file is a photo with depth in it. Blocks; not for Swift's cooperative pool.
    /// - Parameter path: of any file.
    /// - Returns: nil for one without depth.
    /// - Throws: `noSuchFile`, `notPermitted`; `damagedFile` where depth is promised and not there; `unsupported` for
    ///   depth in a form that is not read.
    public static func find(_ path: String) throws(MediaError) -> EmbeddedDepth? {
        let file: PhotoFile
        do throws(IOFailure) { file = try PhotoFile(path) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { file.io.close() }
        guard let place = try file.depthPlace() else { return nil }
        let orientation = try ImageFile(path: path).orientation
        return try EmbeddedDepth(path, place, orientation)
    }

    private init(
        _ path: String, _ place: DepthPlace, _ orientation: VideoOrientation
    ) throws(MediaError) {
        guard let format = place.exactFormat ?? place.range.nearestFormat else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot read the depth in \(path): no unit holds distances from "
                    + "\(place.range.near) to \(place.range.far) m.")
        }
        (self.path, self.place, self.format, self.orientation) = (path, place, format, orientation)
        isExact = place.exactFormat != nil
    }

    /// The map, upright as the photo is shown. Blocks.
    /// - Parameter unit: of the map; each distance is rounded once, and is unknown where the unit has no value for it
    ///   (default: that of `format`).
    /// - Throws: `damagedFile`, `unsupported`, `overLimit`, `ioError`; `invalidSetting` for a unit that is no distance of
    ///   this photo's: pixels of cameras that are not known.
    public func depthData(in unit: DepthUnit? = nil) throws(MediaError) -> DepthData {
        let stored = try storedDepthData(in: unit)
        guard orientation != .upright else { return stored }
        return try DepthData(map: stored.map.rotated(by: orientation), format: stored.format)
    }

    /// The map as it is stored: turned as the photo's stored picture is. Blocks.
    /// - Parameter unit: as of `depthData(in:)`.
    /// - Throws: as `depthData(in:)`.
    public func storedDepthData(in unit: DepthUnit? = nil) throws(MediaError) -> DepthData {
        try check(unit)
        let bytes: [UInt8]
        do throws(IOFailure) {
            let io = try SystemFileIO(opening: path, writable: false)
            defer { io.close() }
            bytes = try io.readAll(place.bytes.count, at: place.bytes.lowerBound)
        } catch { throw MediaError(error, attempt: "read \(path)", subject: path) }
        let image = try DepthImage(bytes, place.kind, subject: path)
        let isOwn = isExact && image.largest == 65_535
        var format = format
        if !isOwn, let unit { format.unit = unit }
        let table = (0...image.largest).map { code in
            isOwn
                ? place.range.swapped(UInt16(code))
                : place.range.value(
                    of: code, largest: image.largest, in: format, isWanted: unit != nil)
        }
        let data = try DepthData(
            map: PixelBuffer(
                steps: image.codes.map { table[Int($0)] }, width: image.width,
                height: image.height),
            format: format)
        guard let unit else { return data }
        return try data.converted(to: unit)
    }

    private func check(_ unit: DepthUnit?) throws(MediaError) {
        guard let unit, format.calibration == nil, unit.countsPixels != format.unit.countsPixels
        else { return }
        guard unit.countsPixels else {
            throw MediaError(
                code: .invalidSetting, subject: path,
                message:
                    "The depth in \(path) is disparity in pixels, of cameras that it does not say (focal length "
                    + "and baseline): it has no distances, and no other unit than pixels.")
        }
        throw MediaError(
            code: .invalidSetting, subject: path,
            message:
                "\(path) does not say of which cameras pixels of disparity would be (focal length and "
                + "baseline): choose a unit of m or of 1/m.")
    }
}

extension DepthData {
    /// A PNG of 16-bit grey, the values as they are; text chunks say what they are (`DEPTH_UNIT`, …), as in a photo of a
    /// depth camera. Blocks.
    /// - Throws: `encoderFailed`, `outOfMemory`.
    public func pngData() throws(MediaError) -> [UInt8] {
        try StillEncoder.encode(self, effort: .usual)
    }
}

extension PhotoFile {
    /// Where its depth is; nil for a photo that says nothing of it, and what is no JPEG.
    /// - Throws: `damagedFile`, `unsupported`, `ioError`.
    func depthPlace() throws(MediaError) -> DepthPlace? {
        guard kind == .jpeg, let notes = try notes().xmp.flatMap(XMPReader.init),
            !notes.depthMaps.isEmpty
        else { return nil }
        let end = try ImageFile(path: path).end
        do throws(DepthPlace.Failure) {
            return try DepthPlace(notes, io, size: size, pictureEnd: end)
        } catch {
            switch error {
            case .broken(let why):
                throw MediaError(
                    code: .damagedFile, subject: path,
                    message: "Cannot read the depth in \(path): \(why); the file was cut off or "
                        + "changed after it was taken.")
            case .unsupported(let why):
                throw MediaError(
                    code: .unsupported, subject: path,
                    message: "Cannot read the depth in \(path): \(why).")
            case .io(let failure):
                throw MediaError(failure, attempt: "read \(path)", subject: path)
            }
        }
    }
}
