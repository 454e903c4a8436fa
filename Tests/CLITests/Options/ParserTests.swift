import Media
import Testing

@testable import vcap

/// A verb made for the tests.
private let name = Option<String>("n", "name", .text("NAME", "a name"), "a name")
private let many = Option<Int>("m", "many", .integer("N", in: 1...9), "numbers", isRepeatable: true)
private let level = Option<Int>(
    "l", "level", .integer("N", in: 0...9), "level", default: .value("4"))
private let loud = Switch("v", "verbose", "say more", isRepeatable: true)
private let form = Option<String>(nil, "form", .choice(["a", "b"]), "form", bare: "a")
private let yes = Switch("y", "yes", "agree")
private let sample = Command(
    "sample", "a verb of the tests",
    operands: .init(synopsis: "FILE…", count: 0...2, completion: .files),
    groups: [
        .init(
            title: "Options",
            options: [name.spec, many.spec, level.spec, loud.spec, yes.spec, form.spec])
    ],
    examples: []
) { _ in .done }

private func parse(_ words: String...) throws -> Arguments {
    try ArgumentParser.parse(words, as: sample)
}

private func complaint(_ words: String...) -> CommandFailure? {
    do {
        _ = try ArgumentParser.parse(words, as: sample)
        return nil
    } catch { return error }
}

@Suite("Parsing of options")
struct ParserTests {
    @Test("a value that may be left out is joined by =, and the next word is none")
    func bareValue() throws {
        #expect(try parse("file")(form) == nil)
        #expect(try parse("--form", "b")(form) == "a")
        #expect(try parse("--form", "b").operands == ["b"])
        #expect(try parse("--form=b", "a")(form) == "b")
        #expect(complaint("--form=c")?.message.contains("--form takes") == true)
    }

    @Test("a value may follow, be joined by =, or stick to a short option")
    func valueForms() throws {
        for words in [["--name", "a"], ["--name=a"], ["-n", "a"], ["-na"]] {
            #expect(try ArgumentParser.parse(words, as: sample)(name) == "a")
        }
        #expect(try parse("--name=a=b")(name) == "a=b")
        #expect(try parse("--name", "-")(name) == "-")
        #expect(try parse("--name", "--yes")(name) == "--yes")
    }

    @Test("switches can stand together and count")
    func switches() throws {
        let arguments = try parse("-vvy", "-v")
        #expect(arguments.count(loud) == 3)
        #expect(arguments.isOn(yes))
        #expect(try parse("-ynA")(name) == "A")
    }

    @Test("repeatable options keep their order; the default stands in for what is not given")
    func repeatsAndDefaults() throws {
        #expect(try parse("-m", "3", "--many=1", "-m2").all(many) == [3, 1, 2])
        #expect(try parse()(level) == 4)
        #expect(try parse("-l", "0")(level) == 0)
        #expect(try parse()(name) == nil)
    }

    @Test("of an option that is given again the last one counts, and each must be right")
    func lastWins() throws {
        #expect(try parse("-na", "--name", "b").entries["name"]?.texts == ["b"])
        #expect(complaint("-l", "10", "-l", "3")?.code == .usage)
    }

    @Test("of an option that is given again with another value the one that counts is reported")
    func overridden() throws {
        let arguments = try parse("-na", "-l", "3", "--name", "b", "--name=c", "-l3", "-m1", "-m2")
        #expect(arguments.overridden == [OverriddenOption(name: "--name", value: "c")])
        #expect(try parse("-na", "-na", "-y", "-y", "-vv").overridden.isEmpty)
    }

    @Test("everything after -- is an operand, and so is a lone -")
    func operands() throws {
        #expect(try parse("a", "--", "--yes").operands == ["a", "--yes"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test("help wins over missing operands")
    func help() throws {
        #expect(try parse("--help").isOn(Command.help))
        #expect(try parse("-h").isOn(Command.help))
    }

    @Test("a slip of the finger is answered with the option meant, as usage error 64")
    func nearMiss() {
        let failure = complaint("--nmae", "x")
        #expect(failure?.code == .usage)
        #expect(
            failure?.message
                == "unknown option --nmae; did you mean --name?; see vcap help sample")
        #expect(complaint("--zzz")?.message == "unknown option --zzz; see vcap help sample")
    }

    @Test("each other wrong use is one sentence naming the option")
    func wrongUses() {
        #expect(complaint("-z")?.message == "unknown option -z; see vcap help sample")
        #expect(
            complaint("--name")?.message == "--name needs a value: NAME; see vcap help sample")
        #expect(complaint("--yes=1")?.message == "--yes takes no value; see vcap help sample")
        #expect(
            complaint("-l", "10")?.message
                == "--level takes a whole number from 0 to 9, not \"10\"; see vcap help sample")
        #expect(
            complaint("a", "b", "c")?.message
                == "unexpected argument \"c\"; see vcap help sample")
    }

    @Test("the distance of words counts swapped neighbours once")
    func distance() {
        #expect(editDistance("fsp", "fps") == 1)
        #expect(editDistance("", "abc") == 3)
        #expect(editDistance("record", "record") == 0)
        #expect(nearest(to: "fsp", among: ["size", "fps", "crf"]) == "fps")
        #expect(nearest(to: "banana", among: ["size", "fps"]) == nil)
    }
}
