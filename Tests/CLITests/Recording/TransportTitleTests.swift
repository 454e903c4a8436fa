import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite("The title of a take in MPEG-TS", .tags(.realTime, .mostlyWaits))
struct TransportTitleTests {
    @Test("is the name of its service, which is read back; without one there is none")
    func service() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        for (name, words) in [("named.ts", ["--title", "Café Lecture"]), ("plain.ts", [])] {
            let result = try Program.vcap.run(
                [
                    "record", "-c", "test:size=160x120", "-a", "none", "-t", "0.5s", "--keys",
                    "none", "-o", folder.file(name),
                ] + words, environment: ["XDG_RUNTIME_DIR": folder.path])
            #expect(result.status == 0, "\(result.errorText)")
            let title = try Asset.load(folder.file(name)).metadata.title
            #expect(title == words.last)
        }
        let probe = try Program.vcap.run(["probe", folder.file("named.ts")])
        #expect(probe.outputText.contains("Café Lecture"), "\(probe.outputText)")
    }
}
