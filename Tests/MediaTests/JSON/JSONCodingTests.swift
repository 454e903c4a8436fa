import Foundation
import Testing

@testable import Media

private struct Take: Codable, Equatable {
    struct Gap: Codable, Equatable {
        var length = 0.1
        var nothing = Nothing()
    }
    struct Nothing: Codable, Equatable {}
    enum State: String, Codable { case finished }

    private enum CodingKeys: String, CodingKey {
        case beta = "Beta"
        case zone, alpha10, gaps, drops, large, small, short, missing, zero, most, nested, holes
        case isGood, state
    }

    var zone = 1.0
    var alpha10 = [Int]()
    var beta = "a/b\u{8}\u{C}\u{1B}\u{7F}\u{85}\u{2028}\"\\\n\t\u{1}é😀"
    var gaps = [Gap(), Gap()]
    var drops = ["late": 2, "device-gone": 1, "é": 3, "Z": 4, "device_gone": 5]
    var large = 1e22
    var small = 1.5e-9
    var short = Float(0.1)
    var missing: Int?
    var zero = -0.0
    var most = UInt64.max
    var nested = [[1, 2], [], [3]]
    var holes: [Int?] = [1, nil]
    var isGood = true
    var state = State.finished
}

@Suite struct JSONCodingTests {
    @Test func aReportHasTheBytesThatFoundationGivesIt() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let other = String(decoding: try encoder.encode(Take()), as: UTF8.self)
        let own = JSONWriter.text(try JSONValue(encoding: Take()), .report)
        #expect(own == other)
    }

    @Test func whatWasWrittenIsReadAsItWas() throws {
        let text = JSONWriter.text(try JSONValue(encoding: Take()), .report)
        let value = try JSONParser.parse(Array(text.utf8), as: .json)
        #expect(try value.decoded(as: Take.self) == Take())
        // what another encoder wrote in another order, with unknown keys
        let data = try JSONEncoder().encode(Take())
        #expect(try JSONParser.parse(Array(data), as: .json).decoded(as: Take.self) == Take())
    }

    @Test(arguments: [
        ("[]", "1:1: expected an object, found a list"),
        ("{\"length\": 1}", "\"nothing\" is missing"),
        ("{\"length\": \"1\", \"nothing\": {}}", "1:12: expected Double, found a text"),
        ("{\"length\": null, \"nothing\": {}}", "1:12: expected Double, found null"),
    ])
    func whatDoesNotFitIsRefusedWithItsPlace(_ text: String, _ reason: String) throws {
        let value = try JSONParser.parse(Array(text.utf8), as: .json)
        let error = #expect(throws: DecodingError.self) {
            _ = try value.decoded(as: Take.Gap.self)
        }
        #expect("\(try #require(error))".contains(reason))
    }

    @Test func integersThatDoNotFitAreRefused() throws {
        let value = try JSONParser.parse(Array("[300, 5.0, 5.5, 1e300]".utf8), as: .json)
        let numbers = try #require(value.elements)
        #expect(throws: DecodingError.self) { try numbers[0].decoded(as: UInt8.self) }
        #expect(try numbers[1].decoded(as: UInt8.self) == 5)
        #expect(throws: DecodingError.self) { try numbers[2].decoded(as: Int.self) }
        #expect(throws: DecodingError.self) { try numbers[3].decoded(as: Int.self) }
    }

    @Test func aNumberThatJSONCannotSayIsNotWritten() {
        #expect(throws: EncodingError.self) { _ = try JSONValue(encoding: [Double.nan]) }
    }
}
