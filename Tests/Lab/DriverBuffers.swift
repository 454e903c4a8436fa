import Foundation

/// The kernel's own list of the video buffers it handed out while a take ran.
struct DriverBuffers {
    struct Buffer {
        let minor: Int
        /// When it was taken (s, monotonic clock).
        let taken: Double
        let sequence: UInt32
        /// The driver's stamp (ns, as given).
        let stamp: Int64
        let isDamaged: Bool
        /// The stamp (s).
        var time: Double { Double(stamp) / 1e9 }
    }

    let buffers: [Buffer]

    init(parsing text: String) {
        buffers = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 6, let minor = Int(words[0]), let taken = Double(words[1]),
                let sequence = UInt32(words[2]), let stamp = Int64(words[3])
            else { return nil }
            return Buffer(
                minor: minor, taken: taken, sequence: sequence, stamp: stamp,
                isDamaged: words[5].split(separator: "|").contains("ERROR"))
        }
    }

    init(_ buffers: [Buffer]) {
        self.buffers = buffers
    }

    var minors: [Int] { Set(buffers.map(\.minor)).sorted() }

    func of(minor: Int) -> DriverBuffers {
        DriverBuffers(buffers.filter { $0.minor == minor })
    }

    /// Sequence numbers skipped between one buffer and the next (a restarted stream counts anew).
    var missing: Int {
        zip(buffers, buffers.dropFirst()).reduce(0) { lost, pair in
            let step = pair.1.sequence &- pair.0.sequence
            return step > 0 && step < 0x8000_0000 ? lost + Int(step) - 1 : lost
        }
    }

    /// Whether the sequence number went past its largest value.
    var wraps: Bool {
        zip(buffers, buffers.dropFirst())
            .contains { $0.0.sequence > 0xFFFF_0000 && $0.1.sequence < 0xFFFF }
    }
}
