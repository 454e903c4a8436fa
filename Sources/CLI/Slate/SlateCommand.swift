import Compose
import Detect
import Media

/// Makes a slate: a code to print, or a running clock to play.
struct SlateCommand: Sendable {
    let plan: SlatePlan

    func run() async throws -> ExitCode {
        switch plan.subject {
        case .code(let slate): try makeCode(of: slate)
        case .clock(let length):
            let clock = ClockMovie(name: ClockMovie.newName(), length: length)
            guard let path = try await write(clock) else { return .done }
            Console.shared.notice(
                "play it full screen, before the cameras at once; vcap align finds clock \(clock.name)"
            )
            report(["clock": .string(clock.name)], path)
        }
        return .done
    }

    /// Where it may be written; `nil`: to standard output.
    private var names: OutputNames? {
        plan.output.map {
            OutputNames(
                OutputPath(
                    replacesExisting: plan.replacesExisting, inputs: [], folders: .ofThisProcess,
                    endings: SlatePlan.endings(of: plan.subject)),
                $0)
        }
    }

    private func makeCode(of slate: Slate) throws {
        let code: QRCode
        let text: String
        do throws(MediaError) { text = try slate.text() } catch {
            throw CommandFailure(.usage, error.message)
        }
        do throws(MediaError) { code = try QRCode(text) } catch {
            throw CommandFailure.noDetector(error)
        }
        guard var names, let form = plan.form else {
            if plan.writesJSON { return report(["text": .string(text)], nil) }
            return Console.shared.result(code.terminalText + text + "\n")
        }
        let bytes: [UInt8]
        switch form {
        case .png: bytes = try code.png()
        case .svg: bytes = Array(code.svg(words: slate.markerText ?? slate.action ?? "").utf8)
        }
        let replaces = names.replacesExisting
        let path = try names.making { path throws in
            do throws(MediaError) {
                try TemporaryOutput(path: path, overwrites: replaces).write(bytes)
            } catch { throw CommandFailure(error, while: .writing) }
        }.path
        report(["text": .string(text)], path)
    }

    /// - Returns: where it is; `nil`: no name was given.
    private func write(_ clock: ClockMovie) async throws -> String? {
        guard var names else { return nil }
        while true {
            let path = try names.next()
            do {
                try await clock.write(to: path, replacesExisting: names.replacesExisting)
                return path
            } catch { try names.goPast(path, after: error) }
        }
    }

    /// The path, or what was made as a document.
    private func report(_ facts: KeyValuePairs<String, JSONValue>, _ path: String?) {
        guard plan.writesJSON else { return Console.shared.result((path ?? "") + "\n") }
        var pairs: [(String, JSONValue)] = [("schema", .string("vcap.slate/1"))]
        pairs += facts.map { ($0.key, $0.value) }
        if let path { pairs.append(("path", .string(path))) }
        Console.shared.result(JSONValue.object(pairs).pretty + "\n")
    }
}
