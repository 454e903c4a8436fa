import Foundation
import TestSupport
import Testing

extension Lab {
    /// The harness itself: a lab that cannot fail would prove nothing.
    @Suite struct HarnessTests {
        private let runner = Program(path: Installation.folder.appending(path: "guest/run").path)

        @Test("a command in the guest runs under Debian's kernel and its status comes out")
        func status() throws {
            let ran = try runner.run(["--", "bash", "-c", "uname -r; exit 7"])
            #expect(ran.status == 7)
            #expect(ran.outputText.contains("-amd64"))
        }

        @Test("a guest that never ends is killed in time and said to be")
        func timeout() throws {
            let ran = try runner.run(["--timeout", "6", "--", "sleep", "600"])
            #expect(ran.status == 124)
            #expect(ran.errorText.contains("killed after 6 s"))
        }

        @Test("a power cut keeps what was synced and loses what was not")
        func powerCut() throws {
            let share = try Guest.emptyShare("harness")
            let disk = share.appending(path: "disk.img")
            try Guest.makeDisk(disk)
            let write =
                "mount -t ext4 /dev/vda /mnt && cd /mnt && seq 99999 > synced"
                + " && sync synced && seq 99999 > unsynced && touch $LAB_SHARE/cut && sleep 600"
            let cut = try runner.run([
                "--share", share.path, "--disk", disk.path, "--power-cut-when", "cut",
                "--", "bash", "-c", write,
            ])
            try #require(cut.status == 0, "\(cut.errorText)")
            let recovery = share.appending(path: "recovered")
            let guest = try Guest.run("recover", ["vda"], share: recovery, disks: [disk])
            #expect(guest.text("vda/synced").hasSuffix("\n99999\n"))
            #expect(guest.text("vda/unsynced").isEmpty)
        }

        @Test("of a disk with a cache of its own, what was flushed is in every state")
        func diskStates() throws {
            let share = try Guest.emptyShare("disk-states")
            let disk = share.appending(path: "disk.img")
            let original = share.appending(path: "original.img")
            try Guest.makeDisk(disk)
            try Installation.tool("cp", [disk.path, original.path])
            let write =
                "mount -t ext4 /dev/vda /mnt && seq 99999 > /mnt/synced && sync /mnt/synced"
                + " && seq 99999 > /mnt/late && umount /mnt"
            let ran = try runner.run([
                "--share", share.path, "--logged-disk", disk.path, "--", "bash", "-c", write,
            ])
            try #require(ran.status == 0, "\(ran.errorText)")

            let log = try WriteLog(disk.appendingPathExtension("log"))
            let states = try DiskStates(
                original: original, log: log, last: 22, seed: 1,
                into: share.appending(path: "states.img"))
            let folders = try states.recover(into: share.appending(path: "states"))
            let held = folders.map { folder in
                ["synced", "late"].map { name in
                    (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?
                        .hasSuffix("\n99999\n") == true
                }
            }
            #expect(held.allSatisfy { $0[0] }, "synced, in every state: \(held)")
            #expect(held.contains { $0[1] } && held.contains { !$0[1] }, "late, in some: \(held)")
        }
    }
}
