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
    }
}
