import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Words that were typed")
struct TypedWordsTests {
    @Test("a name that is not UTF-8 is refused, not read as another one")
    func notText() throws {
        let latin: [UInt8] = [0x66, 0xFC, 0x72, 0x2E, 0x6D, 0x70, 0x34]
        #expect { try TypedWords.checked([Array("record".utf8), latin]) } throws: {
            let failure = $0 as? CommandFailure
            return failure?.code == .usage && failure?.message.contains("f\\xfcr.mp4") == true
        }
        #expect(try TypedWords.checked([Array("für.mp4".utf8)]) == ["für.mp4"])
    }

    @Test("the program says so, and makes no file of another name")
    func program() throws {
        let folder = try TemporaryFolder()
        let shell = Program(path: "/bin/sh")
        let command =
            "exec '\(Program.vcap.path)' record -q -c test: -a none -s 96x54 -t 0.2 --keys none "
            + "-o \"$(printf 'f\\374r.mp4')\""
        let result = try shell.run(["-c", command], in: folder.path)
        #expect(result.status == ExitCode.usage.rawValue, "\(result.errorText)")
        #expect(folder.contents.isEmpty)
    }

    @Test("a user who asked for JSON gets a document of it")
    func document() throws {
        let command = "exec '\(Program.vcap.path)' probe --json \"$(printf 'f\\374r.mp4')\""
        let result = try Program(path: "/bin/sh").run(["-c", command])
        #expect(result.status == ExitCode.usage.rawValue, "\(result.errorText)")
        let document = try JSONParser.parse(result.output, as: .json)
        #expect(document["schema"]?.text == "vcap.probe/1")
        #expect(document["exit_code"]?.number == 64)
    }
}
