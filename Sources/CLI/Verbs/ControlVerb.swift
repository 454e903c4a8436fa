import Capture
import FoundationEssentials
internal import Glibc
import Media

extension Verbs {
    private static let session = Option<String>(
        nil, "session", .session, "the recording meant",
        default: .described("the only one running"))

    private static let camera = Option<String>(
        "c", "camera", .selector,
        "the camera that set and get mean, in the words of vcap record -c",
        default: .described("the first one"))

    private static let photoDepth = Switch(
        nil, "depth",
        "put the depth of the photo's moment into it (jpg), of the recording's first depth camera")

    static let control = Command(
        "ctl", "steer a running recording",
        operands: .init(
            synopsis:
                "pause|resume|toggle|mark [TEXT]|photo [PATH]|set SETTING…|get|stop|status",
            count: 1...(1 + ControlProtocol.mostSettings),
            completion: .words(ControlProtocol.commands)),
        groups: [
            .init(
                title: "Options",
                options: [
                    session.spec, camera.spec, LivePhotoForm.request.spec, photoDepth.spec,
                    StandardOptions.json.spec,
                ])
        ],
        notes: "pause and resume do nothing when the recording is paused or running already. "
            + "stop finishes the file; the recorder ends by itself shortly after. "
            + "photo takes a photo with the first camera, beside the movie unless a path (.jpg, .png, .heic; .dng of a Bayer camera) is given, "
            + "and prints its path when it is on the disk; the movie loses no frame. "
            + "photo --live takes a live photo where the recording was started with --live; its files are there "
            + "1.5 s later. set changes the first camera, or another with --camera, while it records, in the words "
            + "of vcap controls, and prints "
            + "what the camera made of them; get prints what it is set to. The movie loses no frame, the take's "
            + "report lists each change, and a camera that was unplugged and is back is set so again. What another "
            + "program or the camera's own button changes is reported, too, where the driver announces it.",
        examples: [
            .init(
                line: "vcap ctl photo --live=apple",
                meaning: "a live photo of this moment, of a recording with --live"),
            .init(
                line: "vcap ctl set -c Logitech exposure=1/60s white-balance=5200K",
                meaning: "set one of the cameras that are recorded"),
            .init(
                line: "vcap ctl status --session lecture --json",
                meaning: "how the recording named lecture stands"),
        ]
    ) { arguments in
        let live = try arguments(LivePhotoForm.request)
        let request = try controlRequest(
            arguments.operands, live, try arguments(camera),
            hasDepth: arguments.isOn(photoDepth))
        let environment = ProcessInfo.processInfo.environment
        let folder = SessionFolder(path: UserFolders(environment: environment).runtime)
        let client = ControlClient(folder: folder)
        let name = try client.session(named: try arguments(session))
        let answer = try client.ask(request, session: name)
        guard answer["ok"]?.boolean == true else {
            let code = answer["exit_code"]?.wholeNumber.flatMap {
                ExitCode(rawValue: Int32(clamping: $0))
            }
            throw CommandFailure(
                code ?? .failedRunning,
                "the recording \(name) refused: \(answer["error"]?.text ?? "no reason given")")
        }
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(answer.pretty + "\n")
        } else if arguments.operands[0] == "photo" {
            let paths = answer["paths"]?.elements ?? [answer["path"] ?? .null]
            for path in paths { Console.shared.result((path.text ?? "") + "\n") }
        } else if ["set", "get"].contains(arguments.operands[0]) {
            Console.shared.result(settingsText(answer))
        } else if arguments.operands[0] == "status" {
            Console.shared.result(statusText(answer["status"] ?? .null, session: name))
        }
        if let missing = answer["depth"]?["missing"]?.text {
            Console.shared.warning("the photo is there without its depth: \(missing)")
            return .failedRunning
        }
        return .done
    }

    private static func controlRequest(
        _ operands: [String], _ live: String?, _ camera: String?, hasDepth: Bool
    ) throws(CommandFailure) -> JSONValue {
        let command = operands[0]
        guard ControlProtocol.commands.contains(command) else {
            let near = nearest(to: command, among: ControlProtocol.commands)
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.usage, "unknown command \(command)\(hint); see vcap help ctl")
        }
        if operands.count > 1, !["mark", "photo", "set"].contains(command) {
            throw CommandFailure(.usage, "\(command) takes no text; see vcap help ctl")
        }
        if operands.count > 2, command != "set" {
            throw CommandFailure(
                .usage, "\(command) takes one text: put it in quotation marks; see vcap help ctl")
        }
        if command == "set" { try checkSettings(operands.dropFirst()) }
        if live != nil, command != "photo" {
            throw CommandFailure(.usage, "--live is for photo; see vcap help ctl")
        }
        if hasDepth, command != "photo" {
            throw CommandFailure(.usage, "--depth is for photo; see vcap help ctl")
        }
        if camera != nil, !["set", "get"].contains(command) {
            throw CommandFailure(.usage, "--camera is for set and get; see vcap help ctl")
        }
        return .members([
            "command": .string(command),
            "camera": camera.map { .string($0) },
            "depth": hasDepth ? .bool(true) : nil,
            "live": live.map { $0.isEmpty ? .bool(true) : .string($0) },
            "text": operands.count > 1 && command == "mark" ? .string(operands[1]) : nil,
            "settings": command == "set"
                ? .array(operands.dropFirst().map { .string($0) }) : nil,
            "path": operands.count > 1 && command == "photo"
                ? .string(OutputPath.absolute(operands[1])) : nil,
        ])
    }

    private static func checkSettings(_ words: ArraySlice<String>) throws(CommandFailure) {
        let kind = ValueKind<CameraSetting>.control
        if words.isEmpty {
            throw CommandFailure(.usage, "set needs \(kind.expected); see vcap help ctl")
        }
        for word in words where kind.parse(word) == nil {
            throw CommandFailure(
                .usage, "\"\(word)\" is not \(kind.expected); see vcap help controls")
        }
    }

    /// Settings with what the camera made of them; of `get` its other controls, too.
    private static func settingsText(_ answer: JSONValue) -> String {
        var text = ""
        for entry in answer["settings"]?.elements ?? [] {
            let wanted = entry["setting"]?.text.flatMap { CameraSetting(words: $0) }
            let granted = entry["granted"]?.text.flatMap { CameraSetting(words: $0) }
            guard let wanted else { continue }
            text += "\(GrantedCameraSetting(wanted: wanted, granted: granted, controls: []))\n"
        }
        guard answer["host_time"] == nil else { return text }
        var table = Table("CONTROL", "VALUE", "RANGE", "DEFAULT")
        let controls = answer["controls"]?.elements ?? []
        for control in controls {
            func number(_ key: String) -> String {
                control[key]?.wholeNumber.map { "\($0)" } ?? "-"
            }
            table.add(
                control["name"]?.text ?? "", number("value"), "\(number("min"))…\(number("max"))",
                number("default"))
        }
        if controls.isEmpty { return "\(answer["camera"]?.text ?? "the camera") has no controls\n" }
        return text + table.text
    }

    private static func statusText(_ status: JSONValue, session: String) -> String {
        var table = Table("", "")
        table.add("session", session)
        for (label, key) in [
            ("state", "state"), ("duration (s)", "duration"), ("frames", "frames"),
            ("frames/s", "fps"), ("bytes", "bytes"), ("pauses", "pauses"),
        ] {
            if let text = status[key]?.text { table.add(label, text) }
            if let number = status[key]?.wholeNumber {
                table.add(label, "\(number)")
            } else if let number = status[key]?.number {
                table.add(label, Amounts.decimal(number, 3))
            }
        }
        if let count = status["settings_by_others"]?.wholeNumber, count > 0 {
            table.add("settings by others", "\(count)")
        }
        if let drops = status["dropped"]?.members {
            let texts = drops.map { "\($0.key) \($0.value.wholeNumber ?? 0)" }
            table.add("dropped", texts.isEmpty ? "0" : texts.joined(separator: ", "))
        }
        return table.text
    }
}
