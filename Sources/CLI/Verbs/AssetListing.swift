import Media
import Movie
import Reading

/// A movie's contents for people.
enum AssetListing {
    static func text(_ asset: Asset) -> String {
        var facts = Table("", "")
        facts.add("file", asset.path)
        facts.add("container", "\(asset.container), \(state(asset))")
        facts.add("duration", seconds(asset.duration))
        if let title = asset.metadata.title { facts.add("title", title) }
        if let scene = asset.metadata.scene { facts.add("scene", scene) }
        if let take = asset.metadata.take { facts.add("take", take) }
        if let software = asset.metadata.software { facts.add("written by", software) }
        if let code = asset.metadata.timeCode { facts.add("time code", text(code)) }
        if !asset.metadata.deviceNames.isEmpty {
            facts.add("devices", asset.metadata.deviceNames.joined(separator: ", "))
        }
        if !asset.metadata.covers.isEmpty {
            let covers = asset.metadata.covers.map(cover)
            facts.add("cover art", covers.joined(separator: "; "))
        }
        if asset.damagedBytes > 0 { facts.add("damaged", "\(asset.damagedBytes) bytes") }
        return facts.text + tracks(asset) + edits(asset) + instants(asset)
    }

    private static func cover(_ cover: CoverArt) -> String {
        (cover.kind?.rawValue ?? "of another kind")
            + (cover.width > 0 ? " \(cover.width)x\(cover.height)" : "")
            + ", \(cover.bytes.count) bytes"
    }

    private static func state(_ asset: Asset) -> String {
        asset.state == .ordinary
            ? "ordinary" : "unfinished: being recorded, or to be finished by vcap repair"
    }

    private static func tracks(_ asset: Asset) -> String {
        var table = Table(
            "TRACK", "CODEC", "FORMAT", "SAMPLES", "SYNC", "DURATION", "TIMESCALE", "NAME")
        for track in asset.tracks {
            table.add(
                "\(track.id)", codec(track), format(track, of: asset), "\(track.sampleCount)",
                "\(track.syncSampleCount)", seconds(track.duration), "\(track.timescale)",
                track.name ?? "")
        }
        return "\n" + table.text
    }

    private static func edits(_ asset: Asset) -> String {
        var table = Table("EDIT OF TRACK", "AT", "LENGTH", "SHOWS FROM")
        for track in asset.tracks {
            for edit in track.edits {
                table.add(
                    "\(track.id)", seconds(edit.start),
                    edit.duration.map(seconds) ?? "to the end",
                    edit.mediaTime.map(seconds) ?? "nothing")
            }
        }
        return table.isEmpty ? "" : "\n" + table.text
    }

    private static func instants(_ asset: Asset) -> String {
        var pauses = Table("PAUSE AT", "LASTED")
        for pause in asset.pauses { pauses.add(seconds(pause.time), seconds(pause.duration)) }
        var markers = Table("MARKER AT", "TEXT")
        for marker in asset.markers { markers.add(seconds(marker.time), marker.text) }
        var jumps = Table("TIME CODE JUMPS AT", "TO")
        for jump in asset.metadata.timeCode?.jumps ?? [] {
            jumps.add(seconds(jump.time), "\(jump.timeCode)")
        }
        return [pauses, markers, jumps].filter { !$0.isEmpty }.map { "\n" + $0.text }.joined()
    }

    static func codec(_ track: AssetTrack) -> String {
        switch track.format {
        case .video(let video): video.codec?.rawValue ?? track.codecTag
        case .audio(let audio): audio.codec?.rawValue ?? track.codecTag
        case .text(let text): text.codec?.rawValue ?? track.codecTag
        case .metadata: track.codecTag
        case nil: track.codecTag
        }
    }

    private static func format(_ track: AssetTrack, of asset: Asset) -> String {
        switch track.format {
        case .video(let video):
            let rate = track.averageRate.map { " \(Amounts.decimal($0, 3)) fps" } ?? ""
            let alpha = track.hasAlpha == true ? ", alpha" : ""
            let depth = video.depth.map { ", \($0)" } ?? ""
            return
                "\(video.width)x\(video.height)\(rate)\(fields(track, of: asset))"
                + "\(orientation(video.orientation))\(alpha)\(depth)" + light(video)
                + dynamicLight(track)
        case .audio(let audio):
            return "\(audio.sampleRate) Hz, \(audio.channels) ch"
        case .text: return "text" + (track.language.map { ", \($0)" } ?? "")
        case .metadata(let format):
            let names = format.keys.prefix(4).map { "\($0.identifier) (\($0.dataType.rawValue))" }
            let rest = format.keys.count - names.count
            return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        case nil: return "unknown"
        }
    }

    /// Of frames of a high dynamic range; empty: they have none.
    private static func light(_ format: VideoFormat) -> String {
        guard let name = format.color.rangeName else { return "" }
        let display = format.masteringDisplay.map {
            ", mastered at \((UInt64($0.maximumLuminance) + 5000) / 10_000) cd/m²"
        }
        let most = format.contentLight.flatMap { light in
            light.maximum > 0 ? ", up to \(light.maximum) cd/m²" : nil
        }
        return ", \(name)" + (display ?? "") + (most ?? "")
    }

    /// What of light is stated for each scene or frame; empty: nothing.
    private static func dynamicLight(_ track: AssetTrack) -> String {
        let vision = track.dolbyVisionProfile.map { ", Dolby Vision profile \($0)" } ?? ""
        return vision + (track.hasHDR10Plus ? ", HDR10+" : "")
    }

    private static func fields(_ track: AssetTrack, of asset: Asset) -> String {
        guard track.isInterlaced else { return "" }
        switch asset.firstField(of: track) {
        case .topFirst: return " interlaced, top field first"
        case .bottomFirst: return " interlaced, bottom field first"
        case nil: return " interlaced"
        }
    }

    private static func orientation(_ orientation: VideoOrientation) -> String {
        guard orientation != .upright else { return "" }
        return ", rotated \(orientation.rotation.rawValue)°"
            + (orientation.isMirrored ? " mirrored" : "")
    }

    private static func seconds(_ time: MediaTime) -> String {
        Amounts.decimal(time.approximateSeconds, 6)
    }
}
