import TestSupport
import Testing

@testable import vcap

@Suite("vcap controls --code")
struct CodeDistanceCommandTests {
    private static let camera = "test:68,size=160x120,exposure=10"

    private func answer(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["controls", "-c", Self.camera] + words)
    }

    @Test("the zoom is named in the words that set it, and setting it succeeds")
    func zoom() throws {
        let result = try answer("--code", "20mm", "--nearest", "12cm")
        #expect(result.status == 0)
        #expect(
            result.outputText == """
                a code 20mm wide fills 14.4 % of the picture's width at 120mm without zoom; 25 % is wanted
                set zoom=1.74x

                """)
        #expect(try answer("zoom=1.74x").status == 0)
        let json = try answer("--code", "20mm", "--nearest", "0.12m", "--json").outputText
        #expect(json.contains("\"setting\": \"zoom=1.74x\""), "\(json)")
        #expect(
            try answer("--code", "60mm", "--nearest", "12cm").outputText.contains("needs no zoom"))
        #expect(
            try answer("--code", "5mm", "--nearest", "12cm", "--fov", "80deg").outputText.contains(
                "set zoom=4x, the largest that Test camera 68 has; it is enough for codes from 13mm on"
            ))
        let none = try Program.vcap.run([
            "controls", "-c", "test:", "--code", "20mm", "--nearest", "12cm",
        ])
        #expect(none.status == 0)
        #expect(none.outputText.contains("hold codes that are at least 35mm wide"))
    }

    @Test("half a question, a wrong unit and a setting beside it are refused with 64")
    func refused() throws {
        for (words, sentence) in [
            (["--code", "20mm"], "--code and --nearest stand together"),
            (["--nearest", "12cm"], "--code and --nearest stand together"),
            (["--fov", "60deg"], "--code and --nearest stand together"),
            (["--code", "20", "--nearest", "12cm"], "a length such as 20mm"),
            (["--code", "0mm", "--nearest", "12cm"], "a length such as 20mm"),
            (["--code", "20mm", "--nearest", "1km"], "a length such as 20mm"),
            (
                ["--code", "20mm", "--nearest", "12cm", "--fov", "180deg"],
                "an angle from 1deg to 179deg"
            ),
            (["--code", "20mm", "--nearest", "12cm", "gain=2"], "--code sets nothing"),
        ] {
            let result = try Program.vcap.run(["controls", "-c", Self.camera] + words)
            #expect(result.status == 64, "\(words)")
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
    }
}
