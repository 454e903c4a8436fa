import Capture
import Media

extension Verbs {
    static let controls = Command(
        "controls", "list or set the controls of a camera",
        operands: .init(synopsis: "[NAME=VALUE]…", count: 0...64, completion: .none),
        groups: [
            .init(
                title: "Options",
                options: [StandardOptions.camera.spec, StandardOptions.json.spec])
        ],
        notes: "Controls are set in the order given, as one group: either the camera takes them or "
            + "the first refusal ends the command. The values shown are those the camera took.",
        examples: [
            .init(line: "vcap controls -c test:", meaning: "names, values, ranges and defaults"),
            .init(
                line: "vcap controls -c 0 exposure_dynamic_framerate=0",
                meaning: "keep the frame rate in low light"),
            .init(
                line: "vcap controls -c /dev/video0 brightness=140 --json",
                meaning: "set, and print the result for programs"),
        ]
    ) { arguments in
        let choice = DeviceChoice(aliases: arguments.aliases)
        let device =
            if let selector = try arguments(StandardOptions.camera) {
                try choice.find(selector, .video)
            } else { try choice.firstCamera(for: .controls) }
        let controls = try DeviceControls(of: device)
        let wanted = try arguments.operands.map { text throws(CommandFailure) in
            guard let control = ValueKind<ControlAssignment>.control.parse(text) else {
                throw CommandFailure(
                    .usage,
                    "a control is set by NAME=VALUE, not \"\(text)\"; see vcap help controls")
            }
            return (name: control.name, value: control.value)
        }
        let result = wanted.isEmpty ? try controls.list() : try controls.set(wanted)
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(ControlListing.json(device, result).pretty + "\n")
        } else {
            Console.shared.result(ControlListing.text(device, result))
        }
        return .done
    }
}

/// Controls of one camera, for people and programs.
enum ControlListing {
    static func text(_ device: CaptureDevice, _ controls: [DeviceControl]) -> String {
        let head = "\(device.name) (\(device.node ?? device.id))\n"
        if controls.isEmpty { return head + "it has no controls\n" }
        var table = Table("CONTROL", "VALUE", "RANGE", "STEP", "DEFAULT", "")
        for control in controls {
            table.add(
                control.name, value(control),
                "\(control.range.lowerBound)…\(control.range.upperBound)", "\(control.step)",
                "\(control.defaultValue)", remarks(control))
        }
        return head + table.text
    }

    private static func value(_ control: DeviceControl) -> String {
        guard let value = control.value else { return "-" }
        let label = control.menu.first { $0.value == value }?.label
        return label.map { "\(value) (\($0))" } ?? "\(value)"
    }

    private static func remarks(_ control: DeviceControl) -> String {
        var words: [String] = []
        if control.isReadOnly { words.append("read-only") }
        if control.isInactive { words.append("inactive") }
        if !control.menu.isEmpty {
            words.append(control.menu.map { "\($0.value)=\($0.label)" }.joined(separator: " "))
        }
        return words.joined(separator: ", ")
    }

    static func json(_ device: CaptureDevice, _ controls: [DeviceControl]) -> JSONValue {
        .members([
            "schema": "vcap.controls/1",
            "id": .string(device.id),
            "controls": .array(controls.map(json)),
        ])
    }

    private static func json(_ control: DeviceControl) -> JSONValue {
        .members([
            "name": .string(control.name),
            "label": .string(control.label),
            "kind": .string(control.kind.rawValue),
            "value": control.value.map { .integer($0) },
            "min": .integer(control.range.lowerBound),
            "max": .integer(control.range.upperBound),
            "step": .integer(control.step),
            "default": .integer(control.defaultValue),
            "menu": control.menu.isEmpty
                ? nil
                : .array(
                    control.menu.map {
                        .members(["value": .integer($0.value), "label": .string($0.label)])
                    }),
            "read_only": .bool(control.isReadOnly),
            "inactive": .bool(control.isInactive),
        ])
    }
}
