import Glibc
import TestSupport
import Testing

@testable import vcap

@Suite("Names of inputs and outputs of a conversion")
struct ConvertNamesTests {
    @Test("digits compare as numbers, all else as it stands")
    func naturalOrder() {
        let sorted = ["shot10.png", "shot2.png", "shot1.png", "a.png", "shot02b.png", "shot.png"]
            .sorted(by: NaturalOrder.precedes)
        #expect(
            sorted == ["a.png", "shot.png", "shot1.png", "shot2.png", "shot02b.png", "shot10.png"])
        #expect(NaturalOrder.precedes("x99999999999999999999", "x100000000000000000000"))
        #expect(!NaturalOrder.precedes("same1", "same1"))
    }

    @Test("%n is the input's name without its ending, %%n is none")
    func replaced() {
        #expect(ConvertOutputs.replaced("out/%n.mp4", "clip") == "out/clip.mp4")
        #expect(ConvertOutputs.replaced("%%n-%n", "a") == "%%n-a")
        #expect(ConvertOutputs.name(of: "a/b.c/clip.tar.mov") == "clip.tar")
        #expect(ConvertOutputs.name(of: ".hidden") == ".hidden")
    }

    @Test("two inputs that would become one file are refused")
    func doubles() {
        #expect(throws: CommandFailure.self) {
            _ = try ConvertOutputs("%n.mp4", inputs: ["a/x.mov", "b/x.mkv"], replaces: true)
        }
        #expect(throws: CommandFailure.self) {
            _ = try ConvertOutputs("out.mp4", inputs: ["a.mov", "b.mkv"], replaces: true)
        }
    }

    @Test(
        "a movie whose name is not UTF-8 is not left out of its folder or of a pattern in silence")
    func unreadableName() throws {
        let folder = try TemporaryFolder()
        for name in ["a.mp4", "notes.txt"] {
            close(open(folder.file(name), O_CREAT | O_WRONLY, 0o644))
        }
        #expect(try ConvertInputs.expanded([folder.path]) == [folder.file("a.mp4")])
        let path = Array(folder.path.utf8) + Array("/b".utf8) + [0xE4] + Array("r.mp4".utf8) + [0]
        path.withUnsafeBytes { bytes in
            let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress!
            close(open(name, O_CREAT | O_WRONLY, 0o644))
        }
        for operand in [folder.path, folder.file("*.mp4")] {
            let failure = #expect(throws: CommandFailure.self) {
                _ = try ConvertInputs.expanded([operand])
            }
            #expect(failure?.message.contains("b\\xe4r.mp4 is not UTF-8") == true)
        }
    }
}
