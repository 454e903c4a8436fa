import FoundationEssentials
internal import Glibc
import Media

extension Verbs {
    private static let session = Option<String>(
        nil, "session", .session, "the recording meant",
        default: .described("the only one running"))

    static let control = Command(
        "ctl", "steer a running recording",
        operands: .init(
            synopsis: "pause|resume|toggle|mark [TEXT]|photo [PATH]|stop|status", count: 1...2,
            completion: .words(ControlProtocol.commands)),
        groups: [
            .init(
                title: "Options",
                options: [
                    session.spec, LivePhotoForm.request.spec, StandardOptions.json.spec,
                ])
        ],
        notes: "pause and resume do nothing when the recording is paused or running already. "
            + "stop finishes the file; the recorder ends by itself shortly after. "
            + "photo takes a photo with the first camera, beside the movie unless a path (.jpg, .png, .heic) is given, "
            + "and prints its path when it is on the disk; the movie loses no frame. "
            + "photo --live takes a live photo where the recording was started with --live; its files are there "
            + "1.5 s later.",
        examples: [
            .init(line: "vcap ctl toggle", meaning: "pause, or resume"),
            .init(
                line: "vcap ctl photo --live=apple",
                meaning: "a live photo of this moment, of a recording with --live"),
            .init(
                line: "vcap ctl status --session lecture --json",
                meaning: "how the recording named lecture stands"),
        ]
    ) { arguments in
        let live = try arguments(LivePhotoForm.request)
        let request = try controlRequest(arguments.operands, live)
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
        } else if arguments.operands[0] == "status" {
            Console.shared.result(statusText(answer["status"] ?? .null, session: name))
        }
        return .done
    }

    private static func controlRequest(
        _ operands: [String], _ live: String?
    ) throws(CommandFailure) -> JSONValue {
        let command = operands[0]
        guard ControlProtocol.commands.contains(command) else {
            let near = nearest(to: command, among: ControlProtocol.commands)
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.usage, "unknown command \(command)\(hint); see vcap help ctl")
        }
        if operands.count > 1, command != "mark", command != "photo" {
            throw CommandFailure(.usage, "\(command) takes no text; see vcap help ctl")
        }
        if live != nil, command != "photo" {
            throw CommandFailure(.usage, "--live is for photo; see vcap help ctl")
        }
        return .members([
            "command": .string(command),
            "live": live.map { $0.isEmpty ? .bool(true) : .string($0) },
            "text": operands.count > 1 && command == "mark" ? .string(operands[1]) : nil,
            "path": operands.count > 1 && command == "photo"
                ? .string(OutputPath.absolute(operands[1])) : nil,
        ])
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
        if let drops = status["dropped"]?.members {
            let texts = drops.map { "\($0.key) \($0.value.wholeNumber ?? 0)" }
            table.add("dropped", texts.isEmpty ? "0" : texts.joined(separator: ", "))
        }
        return table.text
    }
}
