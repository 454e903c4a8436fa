import Foundation
import TestSupport
import Testing

extension Lab {
    /// Every state in which a cut may leave a disk. Nothing in it is measured by a clock, so that it runs beside what
    /// is (scripts/test).
    @Suite struct DiskStateTests {
        @Test(
            "whatever the disk holds while a take is finished plays; without the barrier it may not"
        )
        func finishing() throws {
            let folder = try Guest.emptyShare("finish")
            let disks = ["vda", "vdb"].map { folder.appending(path: "\($0).img") }
            for disk in disks { try Guest.makeDisk(disk) }
            let original = folder.appending(path: "original.img")
            try Guest.makeDisk(original)
            for disk in disks { try Installation.tool("cp", [original.path, disk.path]) }
            let guest = try Guest.run(
                "finish", [Program.vcap.path], share: folder.appending(path: "share"),
                loggedDisks: disks)
            #expect(try guest.number("vda.status") == 0 && guest.number("vdb.status") == 0)

            let pictures = try disks.map { disk in
                let name = disk.deletingPathExtension().lastPathComponent
                let states = try DiskStates(
                    original: original, log: WriteLog(disk.appendingPathExtension("log")),
                    last: 30, seed: 1, into: folder.appending(path: "\(name)-states.img"))
                return try states.recover(into: folder.appending(path: "\(name)-states"))
                    .map { Movie(url: $0.appending(path: "take.mp4")) }
                    .map { (try? $0.frames().count) ?? 0 }
            }
            #expect(pictures[0].allSatisfy { $0 >= 15 }, "with the barrier: \(pictures[0])")
            #expect(pictures[1].contains(0), "without: \(pictures[1])")
        }
    }
}
