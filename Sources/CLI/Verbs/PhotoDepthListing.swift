import Media
import Reading

/// The depth in a photo that is looked at, if there is any.
struct PhotoDepthListing {
    private enum Found {
        case nothing
        /// Whole, with its map.
        case depth(EmbeddedDepth, DepthData)
        /// There should be some.
        case broken(MediaError)
    }

    private let found: Found

    /// Blocks.
    /// - Parameter asset: what the file is otherwise.
    init(of path: String, _ asset: Asset) {
        guard asset.tracks.contains(where: { $0.mediaType == .video }) else {
            found = .nothing
            return
        }
        do throws(MediaError) {
            guard let depth = try EmbeddedDepth.find(path) else {
                found = .nothing
                return
            }
            found = .depth(depth, try depth.depthData())
        } catch { found = .broken(error) }
    }

    /// For people; empty without depth.
    var text: String {
        switch found {
        case .nothing: return ""
        case .broken(let error): return "\ndepth in the photo: \(error.message)\n"
        case .depth(let depth, let data):
            let range = range(data).map {
                ", from \(Self.metres($0.near)) to \(Self.metres($0.far)) m"
            }
            let known = data.steps.count { $0 > 0 } * 100 / max(1, data.steps.count)
            let origin = depth.isExact ? "" : ", rounded: another program wrote it"
            return "\ndepth in the photo: \(data.width)x\(data.height), \(data.format)"
                + "\(range ?? ""), \(known) % known\(origin)\n"
        }
    }

    /// To the millimetre; what is smaller than a metre to four digits.
    private static func metres(_ distance: Double) -> String {
        var (digits, scaled) = (3, distance * 1000)
        while digits < 9, distance > 0, scaled < 1000 {
            (digits, scaled) = (digits + 1, scaled * 10)
        }
        return Amounts.decimal(distance, digits)
    }

    /// For programs.
    func added(to listing: JSONValue) -> JSONValue {
        guard let members = listing.members else { return listing }
        let value: JSONValue
        switch found {
        case .nothing: return listing
        case .broken(let error): value = .members(["error": .string(error.message)])
        case .depth(let depth, let data):
            let range = range(data)
            value = .members([
                "width": .integer(data.width), "height": .integer(data.height),
                "values": AssetListing.depth(data.format), "exact": .bool(depth.isExact),
                "known_points": .integer(data.steps.count { $0 > 0 }),
                "nearest": range.map { .number($0.near) },
                "farthest": range.map { .number($0.far) },
            ])
        }
        return .object(members.map { ($0.key, $0.value) } + [("photo_depth", value)])
    }

    /// Of the points that are known (m); `nil` where distances are no metres.
    private func range(_ data: DepthData) -> (near: Double, far: Double)? {
        guard data.format.accuracy == .absolute else { return nil }
        let known = data.steps.lazy.filter { $0 > 0 }
        guard let least = known.min(), let most = known.max(),
            let one = data.format.distance(of: least), let other = data.format.distance(of: most)
        else { return nil }
        return (min(one, other), max(one, other))
    }
}
