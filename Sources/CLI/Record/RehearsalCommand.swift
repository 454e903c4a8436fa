import Capture
import Foundation
internal import Glibc
import Media
import Recording

/// Records for a while as a recording would, keeps nothing and says what it costs.
struct RehearsalCommand {
    static let option = Option<MediaTime>(
        nil, "rehearse", .duration,
        "record as asked for so long, keep nothing, and say what that takes of the processors, the disk and the USB "
            + "buses, and whether this machine carries it")

    let plan: RecordPlan
    let duration: MediaTime
    let arguments: Arguments

    /// Shorter ones say nothing of a machine.
    private static let shortest = MediaTime.milliseconds(500)

    func run() async throws -> ExitCode {
        guard duration >= Self.shortest else {
            throw CommandFailure(.usage, "a rehearsal takes at least 0.5 s: give --rehearse more")
        }
        for line in idle { Console.shared.warning(line) }
        let output = plan.path(UserFolders(environment: ProcessInfo.processInfo.environment))
        let path = try output.prepare(plan.output)
        try plan.requireFreeReport(path, output)
        SignalListener.endBeforeWriting()
        let inputs = try await RecordInputs.open(plan, aliases: arguments.aliases)
        do {
            let (cost, buses) = try await rehearse(inputs, path)
            await inputs.stop()
            return report(cost, buses)
        } catch {
            await inputs.stop()
            throw CommandFailure.from(error, while: .writing)
        }
    }

    private func rehearse(
        _ inputs: RecordInputs, _ path: String
    ) async throws -> (RecordingCost, [USBBusCost]) {
        let settings = plan.settings(outputPath: path)
        let rehearsal = try Rehearsal(
            sources: inputs.inputs.map(\.source), settings: settings, duration: duration,
            pressure: inputs.pressure)
        for line in TakeAnnouncement.lines(inputs.inputs, settings).dropLast() {
            Console.shared.notice(line)
        }
        Console.shared.notice(
            "rehearsing for \(Amounts.clock(duration, fractionDigits: 3)); nothing is kept")
        SignalListener.listenForEnd { number in
            guard number > 1 else { return rehearsal.stop() }
            rehearsal.removeNow()
            _exit(ExitCode.failedRunning.rawValue)
        }
        do {
            try rehearsal.start()
            try await inputs.start()
        } catch {
            await rehearsal.discard()
            throw error
        }
        async let ended = rehearsal.finished()
        // of cameras that stream by now
        try? await Task.sleep(for: .milliseconds(500))
        let buses = await inputs.session.usbBuses
        return (try await ended, buses)
    }

    private func report(_ cost: RecordingCost, _ buses: [USBBusCost]) -> ExitCode {
        if arguments.isOn(StandardOptions.json) {
            Console.shared.result(RehearsalListing.json(cost, buses).pretty + "\n")
        } else {
            Console.shared.result(
                RehearsalListing.lines(cost, buses).map { $0 + "\n" }.joined())
        }
        return cost.verdict == .bad ? .badVerdict : .done
    }

    /// Options of a recording that a rehearsal has no use for.
    private var idle: [String] {
        let unused = [
            RecordOptions.duration.spec, RecordOptions.session.spec, RecordOptions.progress.spec,
            RecordOptions.progressFormat.spec, RecordOptions.pauseKey.spec,
            RecordOptions.stopKey.spec, RecordOptions.keys.spec, RecordOptions.preview.spec,
            RecordOptions.strict.spec,
        ]
        let film =
            arguments.following.isEmpty ? [] : ["--then does nothing: a rehearsal makes no film"]
        return unused.filter { arguments.isTyped($0) }
            .map { "\($0.name) does nothing: --rehearse keeps no movie and ends by itself" } + film
    }
}

/// What a recording costs, in words and for programs.
enum RehearsalListing {
    static func lines(_ cost: RecordingCost, _ buses: [USBBusCost]) -> [String] {
        var lines = [
            "recorded: \(Amounts.clock(cost.duration, fractionDigits: 3)), \(Amounts.bytes(cost.bytesPerSecond))/s",
            "processors: \(percent(cost.processorShare)) of \(cost.processors)"
                + (cost.idleShare.map { ", \(percent($0)) left" } ?? ""),
            "longest wait for an encoder: \(Amounts.decimal(cost.longestQueue.approximateSeconds, 2)) s",
        ]
        // what is found in a camera's frames has its name
        for track in cost.report.tracks where track.mediaType != .metadata {
            let lost = track.drops.filter { $0.value > 0 }.sorted { $0.key < $1.key }
                .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            let none = track.frames > 0 ? "nothing lost" : "nothing recorded"
            lines.append("\(track.origin.name): \(lost.isEmpty ? none : "lost " + lost)")
        }
        for bus in buses {
            let cameras = bus.cameras.map { camera in
                "\(camera.origin.name) \(Amounts.bytes(Int64(camera.bytesPerSecond)))/s (\(camera.basis.rawValue))"
            }
            lines.append(
                "USB bus \(bus.bus) (\(bus.speed) Mbit/s): \(percent(bus.share)) taken: "
                    + cameras.joined(separator: ", "))
        }
        lines.append("verdict: \(cost.verdict.rawValue)")
        return lines + cost.reasons.map { "  \($0)" }
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    static func json(_ cost: RecordingCost, _ buses: [USBBusCost]) -> JSONValue {
        .members([
            "schema": "vcap.rehearsal/1",
            "duration": .number(cost.duration.approximateSeconds),
            "processors": .integer(cost.processors),
            "processor_share": .number(cost.processorShare),
            "idle_share": cost.idleShare.map(JSONValue.number),
            "longest_queue": .number(cost.longestQueue.approximateSeconds),
            "bytes_per_second": .integer(Int(cost.bytesPerSecond)),
            "tracks": .array(
                cost.report.tracks.map { track in
                    .members([
                        "name": .string(track.origin.name),
                        "frames": .integer(Int(track.frames)),
                        "drops": .object(
                            track.drops.sorted { $0.key < $1.key }
                                .map { ($0.key, .integer($0.value)) }),
                    ])
                }),
            "usb_buses": .array(buses.map(json)),
            "verdict": .string(cost.verdict.rawValue),
            "reasons": .array(cost.reasons.map { .string($0) }),
        ])
    }

    private static func json(_ bus: USBBusCost) -> JSONValue {
        .members([
            "bus": .integer(bus.bus),
            "mbit_per_second": .integer(bus.speed),
            "share": .number(bus.share),
            "cameras": .array(
                bus.cameras.map { camera in
                    .members([
                        "id": .string(camera.origin.identifier),
                        "bytes_per_second": .integer(camera.bytesPerSecond),
                        "basis": .string(camera.basis.rawValue),
                    ])
                }),
        ])
    }
}
