import Foundation
import TestSupport
import Testing

extension Lab {
    /// Power lost while recording to ext4 on a virtio disk; see `guest/run` for what that models.
    @Suite struct PowerCutTests {
        @Test("ten power cuts lose at most 1.5 s each and leave every movie playable")
        func tenCuts() throws {
            let folder = try Guest.emptyShare("power-cut")
            let count = 10
            let disks = (0..<count).map { folder.appending(path: "\($0).img") }
            for disk in disks { try Guest.makeDisk(disk) }
            let guest = try Guest.run(
                "power-cut", [Program.vcap.path, "\(count)", "1500", "210"],
                share: folder.appending(path: "share"), disks: disks, powerCut: "cut",
                freeze: "freeze", timeout: 420)
            let elapsed = try (0..<count).map { try guest.elapsed("\($0)/") }
            let cuts =
                disks.dropLast().map { $0.appendingPathExtension("cut") } + [disks[count - 1]]
            let recovered = try Self.recover(cuts, into: folder)
            for cut in 0..<count {
                let movie = recovered[cut]
                // the kernel may have kept a part of the last fragment: players show what is whole, repair cuts it off
                #expect(try !movie.codedSamples().isEmpty, "cut \(cut) does not play as it is")
                let repaired = try Program.vcap.run(["repair", movie.url.path])
                #expect(repaired.status == 0, "cut \(cut): \(repaired.errorText)")
                let pictures = try movie.frames()
                let sound = try Sound(of: movie)
                #expect(!pictures.isEmpty)
                let end = min((pictures.last?.time ?? 0) + 1 / 15, sound.seconds)
                let lost = elapsed[cut] - end
                #expect(lost <= 1.5, "cut \(cut): \(lost) s of \(elapsed[cut]) s lost")
            }
        }

        @Test("without the barrier a finished take, and without syncs a growing one, is lost")
        func controls() throws {
            let folder = try Guest.emptyShare("power-cut-controls")
            let disks = ["vda", "vdb", "vdc"].map { folder.appending(path: "\($0).img") }
            for disk in disks { try Guest.makeDisk(disk) }
            let guest = try Guest.run(
                "power-cut-controls", [Program.vcap.path, "4000"],
                share: folder.appending(path: "share"), disks: disks, powerCut: "cut")
            #expect(try guest.number("vda.status") == 0 && guest.number("vdb.status") == 0)
            let recovered = try Self.recover(disks, into: folder)

            let whole = try recovered[0].frames()
            #expect((whole.last?.time ?? 0) > 2, "with the barrier: a whole movie")
            #expect(throws: (any Error).self, "no barrier: not one picture is found") {
                try recovered[1].frames()
            }
            let growing = (try? recovered[2].frames().last?.time) ?? 0
            #expect(try guest.elapsed() - growing > 1.5, "no syncs: more than 1.5 s are lost")
        }

        /// One more boot mounts all disks, where ext4 replays its journal, and fetches the movies.
        private static func recover(_ disks: [URL], into folder: URL) throws -> [Movie] {
            let names = disks.indices.map { "vd" + String(UnicodeScalar(UInt8(97 + $0))) }
            let share = folder.appending(path: "recovered")
            _ = try Guest.run("recover", names, share: share, disks: disks)
            return names.map { Movie(url: share.appending(path: "\($0)/take.mp4")) }
        }
    }
}

extension Guest {
    /// How long the take had run when the power went (s): both by the guest's monotonic clock.
    /// - Parameter folder: of the share, with a slash behind it.
    fileprivate func elapsed(_ folder: String = "") throws -> Double {
        let json = try Data(contentsOf: share.appending(path: "\(folder)take.vcap.json"))
        let report = try JSONDecoder().decode(Report.self, from: json)
        guard let start = report.clocks?.start else {
            throw Installation.Failure(description: "the report of a running take names no start")
        }
        return try number("\(folder)cut-at") - start
    }
}
