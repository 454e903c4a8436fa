import Capture
import Media

extension Verbs {
    private static let microphone = Option<String>(
        "a", "mic", .selector, "list a microphone's formats instead of a camera's")

    static let formats = Command(
        "formats", "list what a camera or microphone can deliver",
        groups: [
            .init(
                title: "Options",
                options: [
                    StandardOptions.camera.spec, microphone.spec, StandardOptions.json.spec,
                ])
        ],
        notes: "A format's name is what --input-format takes.",
        examples: [
            .init(line: "vcap formats -c test:", meaning: "of the built-in test camera"),
            .init(line: "vcap formats -a test:", meaning: "of the built-in test microphone"),
            .init(line: "vcap formats -c test: --json", meaning: "for programs"),
        ]
    ) { arguments in
        let choice = DeviceChoice(aliases: arguments.aliases)
        let device: CaptureDevice
        if let selector = try arguments(microphone) {
            device = try choice.find(selector, .audio)
        } else if let selector = try arguments(StandardOptions.camera) {
            device = try choice.find(selector, .video)
        } else {
            device = try choice.firstCamera(for: .formats)
        }
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(FormatListing.json(device).pretty + "\n")
        } else {
            Console.shared.result(FormatListing.text(device))
        }
        return .done
    }
}

/// The formats of one device, for people and programs.
enum FormatListing {
    static func text(_ device: CaptureDevice) -> String {
        let head = "\(device.name) (\(device.node ?? device.id))\n"
        if device.formats.isEmpty { return head + "it lists no formats\n" }
        let isVideo = device.kind == .video
        var table =
            isVideo ? Table("FORMAT", "SIZE", "FRAMES/S") : Table("FORMAT", "HZ", "CHANNELS")
        for format in device.formats {
            switch format {
            case .video(let video):
                for size in video.sizes {
                    table.add(name(video), text(size.extent), rates(size.frameDurations))
                }
            case .audio(let audio):
                let rates = audio.sampleRates.map(span).joined(separator: " ")
                table.add(audio.sampleFormat.rawValue, rates, span(audio.channels))
            }
        }
        return head + table.text
    }

    private static func name(_ format: VideoCaptureFormat) -> String {
        format.coding == nil ? "\(format.name) (by libv4l2)" : format.name
    }

    private static func span(_ range: ClosedRange<Int>) -> String {
        range.count == 1
            ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }

    private static func text(_ extent: VideoCaptureSize.Extent) -> String {
        switch extent {
        case .discrete(let size): size.description
        case .stepwise(let minimum, let maximum, let step):
            "\(minimum)–\(maximum) in steps of \(step)"
        }
    }

    private static func rates(_ durations: [VideoCaptureSize.FrameDurations]) -> String {
        durations.map { duration in
            switch duration {
            case .discrete(let time): rate(time)
            case .range(let shortest, let longest): "\(rate(longest))–\(rate(shortest))"
            }
        }.joined(separator: " ")
    }

    private static func rate(_ duration: MediaTime) -> String {
        let seconds = duration.approximateSeconds
        guard seconds > 0 else { return "?" }
        let rate = 1 / seconds
        return rate == rate.rounded() ? Amounts.decimal(rate, 0) : Amounts.decimal(rate, 3)
    }

    static func json(_ device: CaptureDevice) -> JSONValue {
        .members([
            "schema": "vcap.formats/1",
            "id": .string(device.id),
            "name": .string(device.name),
            "kind": .string(device.kind.rawValue),
            "formats": .array(device.formats.map(json)),
        ])
    }

    private static func json(_ format: CaptureDeviceFormat) -> JSONValue {
        switch format {
        case .video(let video):
            .members([
                "format": .string(video.name),
                "fourcc": video.fourCC.isEmpty ? nil : .string(video.fourCC),
                "sizes": .array(video.sizes.map(json)),
            ])
        case .audio(let audio):
            .members([
                "format": .string(audio.sampleFormat.rawValue),
                "sample_rates": .array(audio.sampleRates.map(json)),
                "channels": json(audio.channels),
            ])
        }
    }

    private static func json(_ range: ClosedRange<Int>) -> JSONValue {
        .members(["min": .integer(range.lowerBound), "max": .integer(range.upperBound)])
    }

    private static func json(_ size: VideoCaptureSize) -> JSONValue {
        let durations = JSONValue.array(size.frameDurations.map(json))
        return switch size.extent {
        case .discrete(let size):
            .members([
                "width": .integer(size.width), "height": .integer(size.height),
                "frame_durations": durations,
            ])
        case .stepwise(let minimum, let maximum, let step):
            .members([
                "min": .string(minimum.description), "max": .string(maximum.description),
                "step": .string(step.description), "frame_durations": durations,
            ])
        }
    }

    /// Rationals of seconds, as timeline files write them.
    private static func json(_ duration: VideoCaptureSize.FrameDurations) -> JSONValue {
        switch duration {
        case .discrete(let time): .string(time.reduced.description)
        case .range(let shortest, let longest):
            .members([
                "min": .string(shortest.reduced.description),
                "max": .string(longest.reduced.description),
            ])
        }
    }
}
