import Media
import Testing

@testable import Capture

@Suite("The zoom that a small code needs at a lens's nearest distance")
struct CodeDistanceTests {
    private func zoom(
        _ range: ClosedRange<Int64>, step: Int64 = 1, isReadOnly: Bool = false
    ) -> [DeviceControl] {
        var control = DeviceControl(
            name: "zoom_absolute", label: "Zoom", kind: .integer, range: range, step: step,
            defaultValue: range.lowerBound, value: range.lowerBound, isReadOnly: isReadOnly)
        control.role = .zoom
        return [control]
    }

    @Test("at an angle of 90 degrees the scene is twice as wide as it is far")
    func rightAngle() {
        let code = CodeDistance(nearest: 0.1, codeWidth: 0.02, fieldOfView: 90)
        #expect(abs(code.sceneWidth - 0.2) < 1e-12)
        #expect(abs(code.share - 0.1) < 1e-12)
        #expect(abs(code.zoomFactor - 2.5) < 1e-12)
        #expect(abs(code.smallestCode(at: 1) - 0.05) < 1e-12)
        #expect(abs(code.smallestCode(at: 2.5) - 0.02) < 1e-12)
    }

    @Test("at 60 degrees it is 2 / √3 as wide, and a code that is large enough needs no zoom")
    func sixtyDegrees() {
        let code = CodeDistance(nearest: 0.12, codeWidth: 0.02)
        #expect(abs(code.sceneWidth - 0.24 / 3.0.squareRoot()) < 1e-12)
        #expect(abs(code.zoomFactor - 0.25 * 12 / 3.0.squareRoot()) < 1e-12)
        #expect(CodeDistance(nearest: 0.12, codeWidth: 0.05).zoomFactor == 1)
        // as near again, a code half as wide needs the same
        let half = CodeDistance(nearest: 0.06, codeWidth: 0.01)
        #expect(abs(half.zoomFactor - code.zoomFactor) < 1e-12)
    }

    @Test(
        "what is to be set is the driver's next step, or its largest zoom, which may not be enough")
    func steps() {
        let code = CodeDistance(nearest: 0.12, codeWidth: 0.02)  // 1.7321
        #expect(CodeZoom(for: code, among: zoom(100...400)).setting == .zoom(1.74))
        #expect(CodeZoom(for: code, among: zoom(100...400, step: 50)).setting == .zoom(2))
        #expect(CodeZoom(for: code, among: zoom(100...400)).isEnough)
        let short = CodeZoom(for: code, among: zoom(100...150))
        #expect(short.setting == .zoom(1.5))
        #expect(!short.isEnough)
        #expect(abs(short.smallestCode - code.smallestCode(at: 1.5)) < 1e-12)
        let exact = CodeDistance(nearest: 0.1, codeWidth: 0.02, fieldOfView: 90)
        #expect(CodeZoom(for: exact, among: zoom(100...400)).setting == .zoom(2.5))
        let large = CodeDistance(nearest: 0.12, codeWidth: 0.05)
        #expect(CodeZoom(for: large, among: zoom(100...400)).setting == .zoom(1))
    }

    @Test("a camera without zoom, or with one in units of its own, says how large codes must be")
    func none() {
        let code = CodeDistance(nearest: 0.1, codeWidth: 0.02, fieldOfView: 90)
        for controls in [[], zoom(0...60), zoom(100...400, isReadOnly: true)] {
            let answer = CodeZoom(for: code, among: controls)
            #expect(answer.setting == nil && !answer.isEnough)
            #expect(abs(answer.smallestCode - 0.05) < 1e-12)
        }
    }

    @Test("a distance that cannot be is refused by the field's name")
    func refused() throws {
        let controls = try DeviceControls(
            of: try DeviceDiscovery().find("test:75,exposure=10", kind: .video))
        for (code, name) in [
            (CodeDistance(nearest: 0, codeWidth: 0.02), "nearest"),
            (CodeDistance(nearest: 0.1, codeWidth: -1), "codeWidth"),
            (CodeDistance(nearest: 0.1, codeWidth: .nan), "codeWidth"),
            (CodeDistance(nearest: 0.1, codeWidth: 0.02, fieldOfView: 180), "fieldOfView"),
            (CodeDistance(nearest: 0.1, codeWidth: 0.02, wantedShare: 2), "wantedShare"),
        ] {
            let error = #expect(throws: MediaError.self) { try controls.zoom(for: code) }
            #expect(error?.code == .invalidSetting && error?.subject == name)
        }
    }
}
