import Media
import Movie
import Reading
import Recording

extension Verbs {
    static let repair = Command(
        "repair", "make ordinary movies of what a crash left",
        operands: .init(synopsis: "FILE…", count: 1...10_000, completion: .files),
        groups: [.init(title: "Options", options: [StandardOptions.json.spec])],
        notes:
            "A movie that a crash left plays already; repair gives it its complete index: mp4 and mov "
            + "in place, mkv and webm as a copy beside it that takes its name when it is on the disk "
            + "(room for it is needed); of ts the torn end is cut. It can be repeated, and killed at "
            + "any moment without harm; a finished movie is left alone. The take's report, which says "
            + "recording since the crash, is closed as recovered. One file that cannot be "
            + "repaired does not stop the others; the exit code is then the first failure's.",
        examples: [
            .init(line: "vcap repair take.mp4", meaning: "one movie"),
            .init(line: "vcap repair takes/a.mp4 takes/b.mkv", meaning: "several"),
            .init(line: "vcap repair take.mp4 --json", meaning: "say what was done, for programs"),
        ]
    ) { arguments in
        var results: [JSONValue] = []
        var code = ExitCode.done
        for path in arguments.operands {
            do throws(MediaError) {
                let report = try MovieRepair.repair(path)
                let closed = try CrashedTake.closeReport(of: path)
                results.append(repairJSON(report, closed))
                if !arguments.isOn(StandardOptions.json) {
                    let take = closed.map { " Its report is closed: \($0.state.rawValue)." }
                    Console.shared.result(report.sentence + (take ?? "") + "\n")
                }
            } catch {
                let failure = CommandFailure(error, while: .reading)
                closeEmptyReport(of: path)
                Console.shared.error(failure.message)
                results.append(
                    .members([
                        "path": .string(path), "error": .string(failure.message),
                        "exit_code": .integer(Int64(failure.code.rawValue)),
                    ]))
                if code == .done { code = failure.code }
            }
        }
        if arguments.isOn(StandardOptions.json) {
            let document = JSONValue.members([
                "schema": "vcap.repair/1", "files": .array(results),
            ])
            Console.shared.result(document.pretty + "\n")
        }
        return code
    }

    private static func repairJSON(
        _ report: RepairReport, _ closed: TakeReport?
    ) -> JSONValue {
        .members([
            "path": .string(report.path),
            "outcome": .string(outcome(report.outcome)),
            "duration": .string(report.duration.description),
            "samples": .array(report.sampleCounts.map { .integer($0) }),
            "losses": .array(report.losses.map(lossJSON)),
            "take": closed.map { .string($0.state.rawValue) },
        ])
    }

    private static func outcome(_ outcome: RepairReport.Outcome) -> String {
        switch outcome {
        case .alreadyOrdinary: "already-ordinary"
        case .indexPutInForce: "index-put-in-force"
        case .indexRebuilt: "index-rebuilt"
        case .remuxed: "remuxed"
        case .endCut: "end-cut"
        }
    }

    private static func lossJSON(_ loss: RepairReport.Loss) -> JSONValue {
        switch loss {
        case .cutEnd(let bytes):
            .members(["kind": "cut-end", "bytes": .integer(bytes)])
        case .cutSamples(let bytes):
            .members(["kind": "cut-samples", "bytes": .integer(bytes)])
        case .damagedFragment(let time, let bytes):
            .members([
                "kind": "damaged-fragment", "time": time.map { .string($0.description) },
                "bytes": .integer(bytes),
            ])
        case .damagedBytes(let range):
            .members([
                "kind": "damaged-bytes", "offset": .integer(range.lowerBound),
                "bytes": .integer(range.upperBound - range.lowerBound),
            ])
        case .unreadTrack(let type, let reason):
            .members([
                "kind": "unread-track", "type": .string(type.rawValue), "reason": .string(reason),
            ])
        }
    }
}
