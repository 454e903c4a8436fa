import Capture
import Media

extension Verbs {
    static let controls = Command(
        "controls", "list or set the controls of a camera",
        operands: .init(synopsis: "[NAME=VALUE]…", count: 0...64, completion: .none),
        groups: [
            .init(
                title: "Options",
                options: [StandardOptions.camera.spec, StandardOptions.json.spec]),
            .init(
                title: "Profiles",
                options: [
                    RecordOptions.profile.spec, ProfileOptions.save.spec, ProfileOptions.list.spec,
                    ProfileOptions.remove.spec,
                ]),
            .init(
                title: "Codes",
                options: [
                    CodeDistanceOptions.code.spec, CodeDistanceOptions.nearest.spec,
                    CodeDistanceOptions.fieldOfView.spec,
                ]),
        ],
        notes:
            "Settings have words and units that are the same for every camera: \(CameraSetting.summary). Every other "
            + "name is a control as the list has it. An automatic mode is switched off before a value that it "
            + "rules is set. What the camera does not have, or a value outside its range, is refused before "
            + "anything is set. The values shown are those the camera took. A profile is a file of settings in "
            + "~/.config/vcap/profiles, for each camera by its identity; it is saved after what is set beside it, and "
            + "a name that is there gets the camera's settings anew. "
            + "What is given by hand wins over it: a mode also over the value that it rules.",
        examples: [
            .init(line: "vcap controls -c test:", meaning: "names, values, ranges and defaults"),
            .init(
                line: "vcap controls -c 0 exposure=1/60s white-balance=5200K",
                meaning: "set in units, whatever the driver calls it"),
            .init(
                line: "vcap controls -c 0 --save-profile stage",
                meaning: "save what the camera is set to, for vcap record --profile stage"),
        ]
    ) { arguments in
        if try ProfileCommand(arguments).run() { return .done }
        let code = try CodeDistanceCommand(arguments)
        let profile = try code == nil ? CameraProfiles.wanted(arguments) : nil
        let choice = DeviceChoice(aliases: arguments.aliases)
        let device =
            if let selector = try arguments(StandardOptions.camera) {
                try choice.find(selector, .video)
            } else { try choice.firstCamera(for: .controls) }
        if let code {
            try code.run(device, json: arguments.isOn(StandardOptions.json))
            return .done
        }
        try profile?.check([device])
        let controls = try DeviceControls(of: device)
        let typed = try arguments.operands.map { text throws(CommandFailure) in
            let kind = ValueKind<CameraSetting>.control
            guard let setting = kind.parse(text) else {
                throw CommandFailure(
                    .usage, "\"\(text)\" is not \(kind.expected); see vcap help controls")
            }
            return setting
        }
        let underlying = profile.map { [$0.settings(of: device)] } ?? []
        let granted =
            typed.isEmpty && underlying.isEmpty ? [] : try controls.apply(typed, over: underlying)
        let names = granted.flatMap(\.controls)
        let result = try controls.list().filter { names.isEmpty || names.contains($0.name) }
        CameraWishes.report(granted, of: device)
        if let name = try arguments(ProfileOptions.save) {
            let settings = try controls.restoringSettings()
            if settings.isEmpty {
                throw CommandFailure(
                    .usage,
                    "\(device.name) has no controls that can be set: there is nothing to save")
            }
            try CameraProfiles().save(settings, of: device, as: name)
            Console.shared.notice("\(device.name): saved as the profile \(name)")
        }
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
