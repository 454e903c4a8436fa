import Capture
import Media

/// Options of `vcap controls` for small codes.
enum CodeDistanceOptions {
    static let code = Option<Double>(
        nil, "code", .length, "say which zoom a code of this width needs, and stop; with --nearest")
    static let nearest = Option<Double>(
        nil, "nearest", .length, "how near the lens focuses, which drivers do not say")
    static let fieldOfView = Option<Double>(
        nil, "fov", .fieldOfView, "the angle that the picture's width spans without zoom",
        default: .value("60deg"))
}

/// Says which zoom a code needs that is held as near as the lens focuses. Sets nothing.
struct CodeDistanceCommand {
    let code: CodeDistance

    /// - Returns: `nil` where it was not asked for.
    init?(_ arguments: Arguments) throws(CommandFailure) {
        let (width, nearest) = (
            try arguments(CodeDistanceOptions.code), try arguments(CodeDistanceOptions.nearest)
        )
        let angle = try arguments(CodeDistanceOptions.fieldOfView)
        guard let width, let nearest else {
            let given = [CodeDistanceOptions.nearest.spec, CodeDistanceOptions.fieldOfView.spec]
                .first { arguments.isTyped($0) }
            if width != nil || given != nil {
                throw CommandFailure(
                    .usage,
                    "--code and --nearest stand together: how wide the code is, and how near the lens "
                        + "focuses")
            }
            return nil
        }
        let others = [ProfileOptions.save.spec, RecordOptions.profile.spec]
            .filter { arguments.isTyped($0) }.map(\.name)
        if let other = others.first ?? arguments.operands.first {
            throw CommandFailure(.usage, "--code sets nothing: leave out \(other)")
        }
        code = CodeDistance(nearest: nearest, codeWidth: width, fieldOfView: angle ?? 60)
    }

    func run(_ device: CaptureDevice, json: Bool) throws {
        let zoom = try DeviceControls(of: device).zoom(for: code)
        Console.shared.result(json ? document(device, zoom).pretty + "\n" : text(device, zoom))
    }

    private func text(_ device: CaptureDevice, _ zoom: CodeZoom) -> String {
        let percent = Amounts.decimal(code.share * 100, 1)
        let head =
            "a code \(millimetres(code.codeWidth)) wide fills \(percent) % of the picture's width at "
            + "\(millimetres(code.nearest)) without zoom; "
            + "\(Amounts.decimal(code.wantedShare * 100, 0)) % is wanted\n"
        let least = millimetres((zoom.smallestCode * 1000).rounded(.up) / 1000)
        switch (zoom.setting, zoom.isEnough) {
        case (_, true) where code.share > 1:
            return head + "it does not fit: keep it farther away, or make it smaller\n"
        case (_, true) where code.zoomFactor <= 1: return head + "it needs no zoom\n"
        case (let setting?, true): return head + "set \(setting)\n"
        case (let setting?, false):
            return head
                + "set \(setting), the largest that \(device.name) has; it is enough for codes "
                + "from \(least) on\n"
        case (nil, _):
            return head
                + "\(device.name) has no zoom that can be set as a factor: hold codes that are at "
                + "least \(least) wide\n"
        }
    }

    private func millimetres(_ metres: Double) -> String {
        let text = Amounts.decimal(metres * 1000, 1)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "mm"
    }

    private func document(_ device: CaptureDevice, _ zoom: CodeZoom) -> JSONValue {
        .members([
            "schema": "vcap.code-distance/1",
            "id": .string(device.id),
            "share": .number(code.share),
            "wanted_share": .number(code.wantedShare),
            "zoom_needed": .number(code.zoomFactor),
            "setting": zoom.setting.map { .string($0.description) },
            "enough": .bool(zoom.isEnough),
            "smallest_code_mm": .number(zoom.smallestCode * 1000),
        ])
    }
}
