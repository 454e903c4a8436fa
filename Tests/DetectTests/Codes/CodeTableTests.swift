import Foundation
import Media
import TestSupport
import Testing

@testable import Detect

private let zint = Program.tool("zint")
private let zbar = Program.tool("zbarimg")

/// One line of the table: how many views of a symbology there were, and what was read in them.
private struct Tally {
    var views = 0
    /// By a quick look, and by a thorough one.
    var quick = 0
    var read = 0
    var byZbar = 0
    var wrong = 0
    var wrongByZbar = 0
    /// Largest distance of a corner from its place (pixels).
    var error = 0.0
}

@Suite("codes of every symbology, in sizes, rotations, sharpness and contrast")
struct LongCodeTableTests {
    private struct Case: Sendable {
        let code: Int
        let view: CodeView
    }

    /// Symbologies that zbar 0.23 reads, and how it says their texts where it says them otherwise.
    private static let peers: [MetadataObjectType: String] = [
        .qr: "https://example.org/a?b=1", .code128: "Vcap-128", .code39: "VCAP39",
        .code93: "VCAP93", .codabar: "A12345B", .itf: "12345678", .ean13: "4006381333931",
        .ean8: "96385074", .upca: "0036000291452",
    ]

    private static func cases(_ codes: Int) -> [Case] {
        (0..<codes).flatMap { code in
            [1.6, 2.7, 4.0].flatMap { module in
                [0.0, 8, 45, 90, 187].flatMap { angle in
                    [0.0, 1.2].flatMap { blur in
                        [16...235, 90...130].map { luma in
                            Case(
                                code: code,
                                view: CodeView(module: module, angle: angle, blur: blur, luma: luma)
                            )
                        }
                    }
                }
            }
        }
    }

    @Test(
        "as many are read as zbar reads, none is read wrongly, and corners are within two pixels",
        .enabled(if: zint != nil && zbar != nil, "zint and zbarimg are not installed"))
    func table() throws {
        let zint = try #require(zint)
        let codes = try PrintedCode.all(zint)
        let (quick, thorough) = (try CodeDetector(), try CodeDetector(isThorough: true))
        let folder = try TemporaryFolder()
        let cases = Sweep.part(104, of: Self.cases(codes.count))
        var tallies: [MetadataObjectType: Tally] = [:]
        var files: [(path: String, code: PrintedCode)] = []
        for (number, entry) in cases.enumerated() {
            let code = codes[entry.code]
            let frame = CodeFrame(code, entry.view)
            if Self.peers[code.type] != nil {
                let path = folder.file("\(number).pgm")
                try Data(frame.pgm).write(to: URL(fileURLWithPath: path))
                files.append((path, code))
            }
            var tally = tallies[code.type] ?? Tally()
            tally.views += 1
            if try !quick.codes(in: frame.sample).isEmpty { tally.quick += 1 }
            for found in try thorough.codes(in: frame.sample) {
                guard found.type == code.type, found.stringValue == code.text else {
                    tally.wrong += 1
                    Issue.record(
                        "\(found.type.rawValue) \(found.stringValue ?? "") in \(code.type.rawValue): \(entry.view)"
                    )
                    continue
                }
                tally.read += 1
                guard !code.isLinear else { continue }
                let error = Self.error(found, frame)
                tally.error = max(tally.error, error)
                // of PDF417 zxing-cpp says where its rows are that it could read
                guard code.type != .pdf417 else { continue }
                // an Aztec code's lie up to a module beside their places
                let bound = code.type == .aztec ? max(2, entry.view.module) : 2
                #expect(error <= bound, "\(code.type.rawValue): \(entry.view)")
            }
            tallies[code.type] = tally
        }
        try Self.count(files, into: &tallies)
        Self.show(tallies)
        let shared = tallies.filter { Self.peers[$0.key] != nil }.values
        let (own, peer) = shared.reduce((0, 0)) { ($0.0 + $1.read, $0.1 + $1.byZbar) }
        #expect(own >= peer)
        let (read, views) = tallies.values.reduce((0, 0)) { ($0.0 + $1.read, $0.1 + $1.views) }
        #expect(Double(read) >= 0.55 * Double(views), "\(read) of \(views)")
    }

    private static func error(_ found: MachineReadableCode, _ frame: CodeFrame) -> Double {
        zip(found.corners, frame.corners).map { found, real in
            let dx = found.x * Double(frame.width) - real.x
            let dy = found.y * Double(frame.height) - real.y
            return (dx * dx + dy * dy).squareRoot()
        }.max() ?? .infinity
    }

    /// What zbar reads in the same frames.
    private static func count(
        _ files: [(path: String, code: PrintedCode)],
        into tallies: inout [MetadataObjectType: Tally]
    ) throws {
        let zbar = try #require(zbar)
        var said: [String: [String]] = [:]
        for start in stride(from: 0, to: files.count, by: 100) {
            let paths = files[start..<min(start + 100, files.count)].map(\.path)
            var path = ""
            for line in try zbar.run(["--xml", "-q"] + paths).outputText.split(separator: "\n") {
                if let name = line.between("<source href='", "'") { path = String(name) }
                if let text = line.between("<![CDATA[", "]]>") {
                    said[path, default: []].append(String(text))
                }
            }
        }
        for (path, code) in files {
            for text in said[path] ?? [] {
                if text == peers[code.type] || text == code.text {
                    tallies[code.type]?.byZbar += 1
                } else {
                    tallies[code.type]?.wrongByZbar += 1
                }
            }
        }
    }

    private static func show(_ tallies: [MetadataObjectType: Tally]) {
        print("symbology    views quick  read  zbar  false  zbar's  corners (px)")
        for (type, tally) in tallies.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let peer =
                peers[type] == nil ? ["-", "-"] : ["\(tally.byZbar)", "\(tally.wrongByZbar)"]
            let fields = [
                "\(tally.views)", "\(tally.quick)", "\(tally.read)", peer[0], "\(tally.wrong)",
                peer[1],
                "\((tally.error * 100).rounded() / 100)",
            ]
            let name = type.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0)
            print(
                name,
                fields.map { String(repeating: " ", count: max(0, 6 - $0.count)) + $0 }.joined())
        }
    }
}

extension Substring {
    fileprivate func between(_ opening: String, _ closing: String) -> Substring? {
        guard let start = firstRange(of: opening)?.upperBound,
            let end = self[start...].firstRange(of: closing)?.lowerBound
        else { return nil }
        return self[start..<end]
    }
}
