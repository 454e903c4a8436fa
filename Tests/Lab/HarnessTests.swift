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

        @Test(
            "a power cut keeps what was synced and loses what was not, as does a frozen disk's copy"
        )
        func powerCut() throws {
            let share = try Guest.emptyShare("harness")
            let disk = share.appending(path: "disk.img")
            try Guest.makeDisk(disk)
            let write =
                "mount -t ext4 /dev/vda /mnt && cd /mnt && seq 99999 > synced"
                + " && sync synced && seq 99999 > unsynced && echo 0 > $LAB_SHARE/number"
                + " && mv $LAB_SHARE/number $LAB_SHARE/freeze"
                + " && while [ -e $LAB_SHARE/freeze ]; do sleep 0.1; done && seq 99999 > later"
                + " && touch $LAB_SHARE/cut && sleep 600"
            let cut = try runner.run([
                "--share", share.path, "--disk", disk.path, "--power-cut-when", "cut",
                "--freeze-when", "freeze", "--", "bash", "-c", write,
            ])
            try #require(cut.status == 0, "\(cut.errorText)")
            let copy = disk.appendingPathExtension("cut")
            let recovery = share.appending(path: "recovered")
            let guest = try Guest.run(
                "recover", ["vda", "vdb"], share: recovery, disks: [disk, copy])
            for found in ["vda", "vdb"] {
                #expect(guest.text("\(found)/synced").hasSuffix("\n99999\n"), "\(found)")
                #expect(guest.text("\(found)/unsynced").isEmpty, "\(found)")
            }
            #expect(guest.text("vda/later").isEmpty)
        }

        @Test(
            "a guest that serves runs scenarios one by one, each without a trace of the one before")
        func serving() throws {
            let leave =
                "modprobe vivid node_types=0x1 num_inputs=1; modprobe snd-aloop; touch /tmp/notes;"
                + " sleep 600 & ls /dev/video*"
            let look = "ls /dev/video* /proc/asound/card0 /tmp/notes; pgrep sleep; exit 3"
            let guest = ServingGuest(share: try Guest.emptyShare("harness-serving"))
            defer { guest.end() }
            let said = try [leave, look].enumerated().map { number, command in
                let share = try Guest.emptyShare("harness-serving/\(number)")
                let status = try guest.serve(["bash", "-c", command], in: share, timeout: 60).status
                return (status, Guest(share: share).text("stdout"))
            }
            #expect(said[0].0 == 0 && said[0].1 == "/dev/video0\n", "\(said[0])")
            #expect(said[1].0 == 3 && said[1].1.isEmpty, "\(said[1])")
        }

        @Test("a scenario that does not answer is ended, and the guest says what waited for what")
        func stuck() throws {
            let guest = ServingGuest(share: try Guest.emptyShare("harness-stuck"))
            defer { guest.end() }
            let share = try Guest.emptyShare("harness-stuck/0")
            let answer = try guest.serve(["sleep", "600"], in: share, timeout: 20)
            #expect(answer.status == 124)
            #expect(answer.said.contains("no answer within 20 s"))
            #expect(answer.said.contains("(sleep 600 )"), "\(answer.said)")
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
