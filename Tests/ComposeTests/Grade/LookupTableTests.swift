import Media
import TestSupport
import Testing

@testable import Compose
@testable import LibAV

@Suite("Lookup tables")
struct LookupTableTests {
    private static func text(_ lines: [String]) -> [UInt8] {
        Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func cube(_ size: Int, _ color: (Int, Int, Int) -> SIMD3<Double>) -> [UInt8] {
        var lines = ["TITLE \"A look\"", "LUT_3D_SIZE \(size)"]
        for blue in 0..<size {
            for green in 0..<size {
                for red in 0..<size {
                    let made = color(red, green, blue)
                    lines.append("\(made.x) \(made.y) \(made.z)")
                }
            }
        }
        return text(lines)
    }

    private func mapped(_ bytes: [UInt8], _ color: SIMD3<Double>) throws -> SIMD3<Double> {
        let table = try LookupTable(bytes, name: "t.cube")
        return table.mapping(in: GradeSpace(FrameLight(.bt709)))(color)
    }

    @Test("at its points a cube has its own colours, red first")
    func points() throws {
        let bytes = Self.cube(3) { SIMD3(Double($0) / 8, Double($1) / 4, Double($2) / 2) }
        let table = try LookupTable(bytes, name: "t.cube")
        #expect(table.title == "A look" && table.cubeSize == 3 && table.curveSize == 0)
        for (color, made) in [
            (SIMD3(1.0, 0, 0), SIMD3(0.25, 0, 0)), (SIMD3(0, 0.5, 0), SIMD3(0, 0.25, 0)),
            (SIMD3(0.5, 1, 1), SIMD3(0.125, 0.5, 1)),
            // what lies beyond is what lies at the end
            (SIMD3(-3, 9, 0.5), SIMD3(0, 0.5, 0.5)),
        ] {
            #expect(try mapped(bytes, color) == made)
        }
    }

    /// Between them: by hand of the six tetrahedra, as in every text book.
    @Test("between them a colour is made of its tetrahedron's corners")
    func tetrahedra() throws {
        var random = SplitMix(seed: 7)
        var colors: [SIMD3<Double>] = []
        for _ in 0..<125 {
            colors.append(
                SIMD3(
                    Double(Float.random(in: 0...1, using: &random)),
                    Double(Float.random(in: 0...1, using: &random)),
                    Double(Float.random(in: 0...1, using: &random))))
        }
        let bytes = Self.cube(5) { colors[$2 * 25 + $1 * 5 + $0] }
        for _ in 0..<500 {
            let color = SIMD3<Double>.random(in: 0..<1, using: &random)
            let (x, y, z) = (color.x * 4, color.y * 4, color.z * 4)
            let (i, j, k) = (Int(x), Int(y), Int(z))
            func at(_ r: Int, _ g: Int, _ b: Int) -> SIMD3<Double> {
                colors[(k + b) * 25 + (j + g) * 5 + i + r]
            }
            let (r, g, b) = (x - Double(i), y - Double(j), z - Double(k))
            let wanted: SIMD3<Double>
            if r >= g, g >= b {
                wanted =
                    at(0, 0, 0) * (1 - r) + at(1, 0, 0) * (r - g) + at(1, 1, 0) * (g - b)
                    + at(1, 1, 1) * b
            } else if r >= b, b >= g {
                wanted =
                    at(0, 0, 0) * (1 - r) + at(1, 0, 0) * (r - b) + at(1, 0, 1) * (b - g)
                    + at(1, 1, 1) * g
            } else if b >= r, r >= g {
                wanted =
                    at(0, 0, 0) * (1 - b) + at(0, 0, 1) * (b - r) + at(1, 0, 1) * (r - g)
                    + at(1, 1, 1) * g
            } else if b >= g, g >= r {
                wanted =
                    at(0, 0, 0) * (1 - b) + at(0, 0, 1) * (b - g) + at(0, 1, 1) * (g - r)
                    + at(1, 1, 1) * r
            } else if g >= b, b >= r {
                wanted =
                    at(0, 0, 0) * (1 - g) + at(0, 1, 0) * (g - b) + at(0, 1, 1) * (b - r)
                    + at(1, 1, 1) * r
            } else {
                wanted =
                    at(0, 0, 0) * (1 - g) + at(0, 1, 0) * (g - r) + at(1, 1, 0) * (r - b)
                    + at(1, 1, 1) * b
            }
            let made = try mapped(bytes, color)
            #expect((made - wanted).max() < 1e-6 && (wanted - made).max() < 1e-6)
        }
    }

    @Test("curves, their ends, a domain, and both in one file")
    func forms() throws {
        let curve = Self.text([
            "# of two \"points\"", "TITLE \"a # b\" # c", "LUT_1D_SIZE 3", "0 1 0",
            "0.5 0.5 0.1   # middle", "1 0 1",
        ])
        let made = try mapped(curve, SIMD3(0.25, 0.25, 0.75)) - SIMD3(0.25, 0.75, 0.55)
        #expect((made * made).sum() < 1e-12)
        let wide = Self.text([
            "LUT_1D_SIZE 2", "DOMAIN_MIN -1 0 0", "DOMAIN_MAX 1 2 4", "0 0 0", "1 1 1",
        ])
        #expect(try mapped(wide, SIMD3(0, 0.5, 1)) == SIMD3(0.5, 0.25, 0.25))
        let both = Self.text(
            [
                "LUT_1D_SIZE 2", "LUT_1D_INPUT_RANGE 0 2", "LUT_3D_SIZE 2",
                "LUT_3D_INPUT_RANGE 0.0 1.0", "0 0 0", "1 1 1",
            ]
                + (0..<8).map { "\($0 & 1 == 1 ? 0.5 : 0) \($0 >> 1 & 1) \($0 >> 2)" })
        let table = try LookupTable(both, name: "t.cube")
        #expect(table.curveSize == 2 && table.cubeSize == 2)
        #expect(try mapped(both, SIMD3(1, 0.5, 2)) == SIMD3(0.25, 0.25, 1))
    }

    @Test("line ends and marks of other computers make no difference")
    func lineEnds() throws {
        let plain = "TITLE x\nLUT_3D_SIZE 2\n" + String(repeating: "0.5 0.25 0\n", count: 8)
        let forms = [
            plain.replacing("\n", with: "\r\n"), plain.replacing("\n", with: "\r"),
            "\u{FEFF}" + plain, plain.replacing(" ", with: "\t "),
        ]
        for text in forms {
            #expect(try mapped(Array(text.utf8), SIMD3(0.1, 0.9, 0.3)) == SIMD3(0.5, 0.25, 0))
        }
    }

    @Test(
        "what is none is refused with its line",
        arguments: [
            ([], "it says neither LUT_1D_SIZE nor LUT_3D_SIZE"),
            (["0 0 0"], "line 1 is a colour, and no size was given before it"),
            (["LUT_3D_SIZE 2", "0 0 0"], "it has 1 of 8 colours; it may be cut off"),
            (["LUT_1D_SIZE 2", "0 0", "1 1 1"], "line 2 is no colour of three numbers"),
            (["LUT_1D_SIZE 2", "0 nan 0", "1 1 1"], "line 2 is no colour of three numbers"),
            (
                ["LUT_1D_SIZE 2", "0 0 0", "1 1 1", "1 1 1"],
                "line 4 is a colour more than its size allows"
            ),
            (["LUT_3D_SIZE 200"], "the size in line 1 must be 2 to 129, before all colours"),
            (["LUT_3D_SIZE"], "the size in line 1 must be 2 to 129, before all colours"),
            (["<html>"], "line 1 begins with \"<html>\", which .cube files do not know"),
            (
                ["LUT_1D_SIZE 2", "DOMAIN_MAX 0 1 1", "0 0 0", "1 1 1"],
                "its domain does not end behind its beginning"
            ),
            (["LUT_1D_INPUT_RANGE 1 0"], "line 1 needs two numbers, the smaller one first"),
        ])
    func refused(lines: [String], why: String) {
        #expect {
            try LookupTable(Self.text(lines), name: "t.cube")
        } throws: { error in
            let error = error as? MediaError
            return error?.code == .damagedFile
                && error?.message == "the lookup table t.cube cannot be used: \(why)"
        }
    }

    @Test("two tables of one size are described as two")
    func described() throws {
        let one = try LookupTable(
            Self.cube(2) { SIMD3(Double($0), Double($1), Double($2)) }, name: "a")
        let two = try LookupTable(
            Self.cube(2) { SIMD3(Double($2), Double($1), Double($0)) }, name: "b")
        #expect(String(reflecting: one) != String(reflecting: two) && one != two)
        #expect(String(reflecting: [one]) == "[\(one.debugDescription)]")
    }

    @Test("what is not there, or no file, is named")
    func missing() throws {
        #expect {
            try LookupTable(contentsOf: "/not/there.cube")
        } throws: {
            ($0 as? MediaError)?.code == .noSuchFile
        }
        #expect {
            try LookupTable(contentsOf: "/dev/zero")
        } throws: {
            ($0 as? MediaError)?.message == "/dev/zero is no regular file, so it is no lookup table"
        }
    }
}
