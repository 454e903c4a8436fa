import Media
import Movie
import Reading

/// A movie's contents for programs.
extension AssetListing {
    static func json(_ asset: Asset) -> JSONValue {
        .members([
            "schema": "vcap.probe/1",
            "path": .string(asset.path),
            "container": .string(asset.container),
            "state": .string(asset.state.rawValue),
            "duration": time(asset.duration),
            "damaged_bytes": .integer(asset.damagedBytes),
            "metadata": metadata(asset.metadata),
            "time_code": asset.metadata.timeCode.map(timeCode),
            "tracks": .array(asset.tracks.map { track($0, of: asset) }),
            "pauses": .array(
                asset.pauses.map {
                    .members(["time": time($0.time), "length": time($0.duration)])
                }),
            "markers": .array(
                asset.markers.map {
                    .members(["time": time($0.time), "text": .string($0.text)])
                }),
        ])
    }

    private static func metadata(_ metadata: MovieMetadata) -> JSONValue {
        .members([
            "title": metadata.title.map(JSONValue.string),
            "scene": metadata.scene.map(JSONValue.string),
            "take": metadata.take.map(JSONValue.string),
            "creation_time_ns": metadata.creationTime.map { .integer($0) },
            "software": metadata.software.map(JSONValue.string),
            "encoder_fingerprint": metadata.encoderFingerprint.map(JSONValue.string),
            "devices": .array(metadata.deviceNames.map(JSONValue.string)),
            "cover_art": metadata.covers.isEmpty ? nil : .array(metadata.covers.map(cover)),
        ])
    }

    private static func cover(_ cover: CoverArt) -> JSONValue {
        .members([
            "kind": cover.kind.map { .string($0.rawValue) },
            "width": cover.width > 0 ? .integer(cover.width) : nil,
            "height": cover.height > 0 ? .integer(cover.height) : nil,
            "bytes": .integer(cover.bytes.count),
        ])
    }

    private static func track(_ track: AssetTrack, of asset: Asset) -> JSONValue {
        .members([
            "id": .integer(track.id),
            "type": .string(track.mediaType.rawValue),
            "codec": .string(codec(track)),
            "codec_tag": .string(track.codecTag),
            "name": track.name.map(JSONValue.string),
            "language": track.language.map(JSONValue.string),
            "enabled": .bool(track.isEnabled),
            "default": .bool(track.isDefault),
            "forced": .bool(track.isForced),
            "timescale": .integer(Int64(track.timescale)),
            "duration": time(track.duration),
            "samples": .integer(track.sampleCount),
            "sync_samples": .integer(track.syncSampleCount),
            "bytes": .integer(track.bytes),
            "average_rate": track.averageRate.map(JSONValue.number),
            "frame_durations": track.frameDurations.map {
                .members(["min": time($0.lowerBound), "max": time($0.upperBound)])
            },
            "may_be_transparent": track.hasAlpha.map(JSONValue.bool),
            "video": track.format?.video.map { video($0, track, of: asset) },
            "audio": track.format?.audio.map(audio),
            "metadata": track.format?.metadata.map(metadata),
            "edits": .array(track.edits.map(edit)),
        ])
    }

    private static func metadata(_ format: MetadataFormat) -> JSONValue {
        .members([
            "keys": .array(
                format.keys.map { key in
                    .members([
                        "key": .string(key.identifier), "type": .string(key.dataType.rawValue),
                    ])
                })
        ])
    }

    private static func video(
        _ format: VideoFormat, _ track: AssetTrack, of asset: Asset
    ) -> JSONValue {
        .members([
            "width": .integer(format.width),
            "height": .integer(format.height),
            "pixel_aspect": .string(
                "\(format.pixelAspect.horizontal):\(format.pixelAspect.vertical)"),
            "rotation": .integer(format.orientation.rotation.rawValue),
            "mirrored": .bool(format.orientation.isMirrored),
            "depth": format.depth.map(depth),
            "interlaced": .bool(track.isInterlaced),
            "first_field": track.isInterlaced
                ? asset.firstField(of: track).map { .string($0 == .topFirst ? "top" : "bottom") }
                : nil,
            "dolby_vision_profile": track.dolbyVisionProfile.map { .integer($0) },
            "hdr10_plus": track.hasHDR10Plus ? .bool(true) : nil,
            "mastering_display": format.masteringDisplay.map { display in
                .members([
                    "maximum_luminance": .number(Double(display.maximumLuminance) / 10_000),
                    "minimum_luminance": .number(Double(display.minimumLuminance) / 10_000),
                    "red": place(display.red), "green": place(display.green),
                    "blue": place(display.blue), "white": place(display.white),
                ])
            },
            "content_light": format.contentLight.map { light in
                .members([
                    "maximum": .integer(Int(light.maximum)),
                    "maximum_frame_average": .integer(Int(light.maximumFrameAverage)),
                ])
            },
            "color": .members([
                "primaries": .integer(Int(format.color.primaries)),
                "transfer": .integer(Int(format.color.transfer)),
                "matrix": .integer(Int(format.color.matrix)),
                "range": .string(format.color.range.rawValue),
            ]),
        ])
    }

    /// Of CIE's diagram (0…1).
    private static func place(_ color: MasteringDisplay.Chromaticity) -> JSONValue {
        .members(["x": .number(Double(color.x) / 50_000), "y": .number(Double(color.y) / 50_000)])
    }

    static func depth(_ format: DepthFormat) -> JSONValue {
        let unit =
            switch format.unit {
            case .metres: "m"
            case .inverseMetres: "1/m"
            case .pixels: "px"
            }
        return .members([
            "kind": .string(format.unit.kind.rawValue),
            "step": .number(format.unit.step),
            "unit": .string(unit),
            "accuracy": .string(format.accuracy.rawValue),
            "quality": .string(format.isFiltered ? "filtered" : "raw"),
            "focal_length": format.calibration.map { .number($0.focalLength) },
            "baseline": format.calibration.map { .number($0.baseline) },
        ])
    }

    private static func audio(_ format: AudioFormat) -> JSONValue {
        .members([
            "sample_rate": .integer(format.sampleRate),
            "channels": .integer(format.channels),
            "priming_frames": .integer(format.primingFrames),
        ])
    }

    private static func edit(_ edit: AssetTrack.Edit) -> JSONValue {
        .members([
            "start": time(edit.start),
            "length": edit.duration.map(time),
            "media_time": edit.mediaTime.map(time) ?? .null,
        ])
    }

    /// Exact: ticks/timescale.
    static func time(_ time: MediaTime) -> JSONValue { .string(time.description) }
}
