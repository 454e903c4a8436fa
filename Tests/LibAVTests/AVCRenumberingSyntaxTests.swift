import Media
import Testing

@testable import LibAV

@Suite("AVCRenumbering of units written by hand")
struct AVCRenumberingSyntaxTests {
    private func renumbering(_ syntax: AVCSyntax, _ id: Int) throws -> AVCRenumbering {
        let sets = try #require(AVCParameterSets(record: syntax.record))
        return try #require(
            AVCRenumbering(sets, sequenceIDs: [min(id, 31)], pictureIDs: [id]))
    }

    private func rewritten(_ renumbering: AVCRenumbering, _ units: [UInt8]...) -> [[UInt8]]? {
        renumbering.rewritten(BlockBuffer(AVCSyntax.sample(units))).map(CodedMovie.units)
    }

    /// Every combination of what headers depend on.
    private static let syntaxes: [AVCSyntax] = {
        var all: [AVCSyntax] = []
        for bits in 0..<64 {
            for order in 0...2 {
                var syntax = AVCSyntax(orderType: order)
                syntax.hasSeparatePlanes = bits & 1 != 0
                syntax.isProgressive = bits & 2 == 0
                syntax.hasFieldOrder = bits & 4 != 0
                syntax.hasRedundancy = bits & 8 != 0
                syntax.isWeighted = bits & 16 != 0
                syntax.biprediction = bits & 16 == 0 ? 2 : 1
                syntax.isArithmetic = bits & 32 == 0
                syntax.groups = [nil, 0, 1, 2, 3, 4, 5, 6][(bits + order) % 8]
                all.append(syntax)
            }
        }
        return all
    }()

    @Test(
        "fields, all orders of pictures, planes, weights, groups and marks keep their bits and their data"
    )
    func headers() throws {
        let data: [UInt8] = [0x9A, 0, 0, 1, 0xFF, 0, 0, 0, 3, 0x42]
        for syntax in Self.syntaxes {
            for id in [1, 7, 31] {
                let renumbering = try renumbering(syntax, id)
                for (type, isRefresh) in [
                    (0, false), (1, false), (2, true), (2, false), (3, false), (4, false),
                    (5, false),
                    (9, true),
                ] {
                    let kind = type % 5
                    let old = syntax.slice(kind, id: 0, isRefresh: isRefresh, data: data)
                    let new = syntax.slice(kind, id: id, isRefresh: isRefresh, data: data)
                    #expect(rewritten(renumbering, old) == [new], "\(syntax) \(type) \(id)")
                }
            }
        }
    }

    @Test("sets get their numbers and keep all else")
    func sets() throws {
        for syntax in Self.syntaxes {
            for id in [1, 7, 31, 255] {
                let new = try renumbering(syntax, id).sets
                #expect(new.sequenceUnits == [syntax.sequence(min(id, 31))])
                #expect(new.pictureUnits == [syntax.picture(id, of: min(id, 31))])
            }
        }
    }

    @Test(
        "bytes that would be a start code are kept from it where header and data meet, and nowhere else"
    )
    func border() throws {
        let data: [[UInt8]] = [
            [0, 0, 1, 5], [0, 1, 5], [1, 5], [0, 0, 0, 0, 0, 7], [0, 0, 3, 0, 0, 3, 9], [0x80],
            [0, 0, 0x80], [3, 0, 0, 2, 0, 0, 1], Array(repeating: 0, count: 5000) + [1],
        ]
        for bits in 0..<8 {
            var syntax = AVCSyntax()
            syntax.isArithmetic = bits & 1 == 0
            syntax.isProgressive = bits & 2 == 0
            syntax.hasRedundancy = bits & 4 != 0
            for id in [1, 3, 7, 15, 31, 127, 255] {
                let renumbering = try renumbering(syntax, id)
                for data in data {
                    for type in 0...2 {
                        let old = syntax.slice(type, id: 0, data: data)
                        let new = syntax.slice(type, id: id, data: data)
                        #expect(rewritten(renumbering, old) == [new])
                        // cabac_zero_word
                        guard syntax.isArithmetic else { continue }
                        #expect(rewritten(renumbering, old + [0, 0, 3]) == [new + [0, 0, 3]])
                    }
                }
            }
        }
    }

    @Test("bits are moved as they are, whatever their number and place")
    func movedBits() {
        let source = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 73 + 19) }
        let digits = source.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
        for before in 0..<9 {
            for lower in 0..<20 {
                for upper in lower...320 {
                    var writer = BitWriter()
                    writer.append(0, count: before)
                    writer.append(source, bits: lower..<upper)
                    var reader = BitReader(writer.bytes)
                    reader.skip(before)
                    let isEqual = digits[lower..<upper].allSatisfy { reader.bits(1) == $0 }
                    if !isEqual { Issue.record("\(lower)..<\(upper) behind \(before)") }
                }
            }
        }
    }

    @Test("emulation prevention comes and goes as the standard says", arguments: 0..<200)
    func emulation(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        let payload = (0..<(seed + 1)).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return [0, 0, 0, 0, 1, 2, 3, 4][Int(state >> 40 & 7)]
        }
        let whole = [0x41] + payload + [0x80]
        var escaped: [UInt8] = []
        EmulationPrevention.append(whole, to: &escaped)
        #expect(escaped == AVCSyntax.escaped(whole))
        escaped.withUnsafeBytes { bytes in
            #expect(EmulationPrevention.removed(from: bytes) == whole)
            for count in whole.indices {
                let offset = EmulationPrevention.offset(of: count, in: bytes)
                #expect(escaped[offset] == whole[count])
                let head = UnsafeRawBufferPointer(rebasing: bytes[..<offset])
                #expect(EmulationPrevention.removed(from: head) == Array(whole[..<count]))
            }
        }
    }

    @Test(
        "units beside slices are copied, sets of the record left out, and those of others refused")
    func otherUnits() throws {
        let syntax = AVCSyntax()
        let renumbering = try renumbering(syntax, 4)
        let slice = syntax.slice(2, id: 0, isRefresh: true, data: [1, 2, 3])
        let new = syntax.slice(2, id: 4, isRefresh: true, data: [1, 2, 3])
        let delimiter: [UInt8] = [9, 0xF0]
        let message: [UInt8] = [6, 5, 2, 0xAA, 0xBB, 0x80]
        let (sequence, picture) = (syntax.sequence(0), syntax.picture(0, of: 0))
        #expect(
            rewritten(renumbering, delimiter, sequence, picture, message, slice)
                == [delimiter, message, new])
        // a message on the buffer names a set; alone, it takes its unit with it
        #expect(rewritten(renumbering, [6, 0, 1, 0xC0, 0x80], slice) == [new])
        #expect(
            rewritten(renumbering, [6, 0, 1, 0xC0, 5, 2, 0xAA, 0xBB, 0x80], slice)
                == [message, new])
        var other = syntax
        other.isWeighted = true
        #expect(rewritten(renumbering, other.picture(0, of: 0), slice) == nil)
        for type: UInt8 in [2, 3, 4, 13, 15, 19, 20, 21] {
            #expect(rewritten(renumbering, [0x60 | type, 1, 2, 3], slice) == nil)
        }
        #expect(rewritten(renumbering, [0x80 | 9, 0xF0], slice) == nil)
        #expect(rewritten(renumbering, [], slice) == nil)
        #expect(rewritten(renumbering, syntax.slice(2, id: 1, data: [1, 2])) == nil)
        #expect(rewritten(renumbering) == nil)
    }

    @Test("headers that cannot be are refused")
    func absurd() throws {
        let renumbering = try renumbering(AVCSyntax(isWeighted: true, biprediction: 1), 7)
        #expect(rewritten(renumbering, [0x41]) == nil)
        #expect(rewritten(renumbering, [0x41] + Array(repeating: 0, count: 9000)) == nil)
        for byte in UInt8.min...UInt8.max {
            _ = rewritten(renumbering, [0x41, 0xE0] + Array(repeating: byte, count: 5000))
            _ = rewritten(renumbering, [0x41, 0xA8] + Array(repeating: byte, count: 64))
        }
        // slice type 10
        #expect(rewritten(renumbering, [0x41, 0b1000_1011, 0xFF, 0xFF, 0xFF]) == nil)
    }

    @Test("several sets are renumbered together, and what is not enough or twice there is refused")
    func severalSets() throws {
        let (plain, weighted) = (AVCSyntax(), AVCSyntax(isWeighted: true))
        var record: [UInt8] = [1, 100, 0, 31, 0xFF, 0xE2]
        for unit in [plain.sequence(0), weighted.sequence(5)] {
            AVCConfiguration.append(unit[...], to: &record)
        }
        record.append(3)
        for unit in [plain.picture(0, of: 0), weighted.picture(3, of: 5), plain.picture(9, of: 5)] {
            AVCConfiguration.append(unit[...], to: &record)
        }
        let sets = try #require(AVCParameterSets(record: record))
        let new = try #require(AVCRenumbering(sets, besides: sets))
        #expect(
            new.sets.pictureUnits == [
                plain.picture(1, of: 1), weighted.picture(2, of: 2), plain.picture(4, of: 2),
            ])
        #expect(sets.record(with: new.sets) != nil)
        for (old, id) in [(0, 1), (3, 2), (9, 4)] {
            let syntax = old == 3 ? weighted : plain
            #expect(
                rewritten(new, syntax.slice(0, id: old, data: [4, 5]))
                    == [syntax.slice(0, id: id, data: [4, 5])])
        }
        #expect(AVCRenumbering(sets, sequenceIDs: [1], pictureIDs: 1...9) == nil)
        #expect(AVCRenumbering(sets, sequenceIDs: 31...32, pictureIDs: 1...9) == nil)
        #expect(AVCRenumbering(sets, sequenceIDs: [1, 1], pictureIDs: 1...9) == nil)
        #expect(AVCRenumbering(sets, sequenceIDs: 1...2, pictureIDs: 254...256) == nil)
    }

    @Test("sets that have one number twice, miss each other or are damaged are refused")
    func brokenSets() throws {
        let (plain, weighted) = (AVCSyntax(), AVCSyntax(isWeighted: true))
        func sets(_ pictures: [[UInt8]]) -> AVCParameterSets? {
            var record: [UInt8] = [1, 100, 0, 31, 0xFF, 0xE1]
            AVCConfiguration.append(plain.sequence(0)[...], to: &record)
            record.append(UInt8(pictures.count))
            for unit in pictures { AVCConfiguration.append(unit[...], to: &record) }
            return AVCParameterSets(record: record)
        }
        let good = try #require(sets([plain.picture(0, of: 0), weighted.picture(1, of: 0)]))
        let twice = try #require(sets([plain.picture(0, of: 0), weighted.picture(0, of: 0)]))
        let lost = try #require(sets([plain.picture(0, of: 1)]))
        #expect(AVCRenumbering(good, besides: good) != nil)
        #expect(AVCRenumbering(twice, besides: good) == nil)
        #expect(AVCRenumbering(lost, besides: good) == nil)
        let record = try #require(good.record(with: good))
        let slice = BlockBuffer(
            AVCSyntax.sample([weighted.slice(1, id: 1, data: Array(repeating: 0x35, count: 40))]))
        for index in record.indices {
            for bit in 0..<8 {
                var turned = record
                turned[index] ^= 1 << UInt8(bit)
                for record in [turned, Array(turned[...index])] {
                    let sets = AVCParameterSets(record: record)
                    _ = sets.flatMap { AVCRenumbering($0, besides: good) }?.rewritten(slice)
                }
            }
        }
    }
}
