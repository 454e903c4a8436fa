import Media
import Testing

@testable import LibAV

@Suite("Memory of results that differ little")
struct SteadyResultsTests {
    private static let (width, height) = (16, 16)

    /// Every sample the same.
    private func plain(_ code: UInt8) -> PixelBuffer {
        var frame = PixelBuffer(width: Self.width, height: Self.height, format: .yuv420p)
        frame.withMutablePlanes { planes in
            for plane in planes {
                for row in 0..<plane.rows {
                    plane.row(row).update(repeating: code, count: plane.bytesPerRow)
                }
            }
        }
        return frame
    }

    private func spans(_ columns: Range<Int>, row: Int) -> RowSpans {
        var spans = RowSpans(rows: Self.height)
        spans.formUnion(columns, row: row)
        return spans
    }

    /// What is copied into the memory for the next frame: for each plane the rows, and the columns of any of them.
    private func copied(
        _ results: inout SteadyResults, rows: Range<Int> = 0..<16,
        but changed: RowSpans = RowSpans(rows: 16)
    ) -> (rows: [[Int]], columns: [[Int]])? {
        var frame: PixelBuffer
        let background: SteadyResults.Background?
        (frame, background) = results.next { plain(0) }
        guard let background else { return nil }
        let code = background.latest.withPlane(0) { $0.row(0)[0] }
        frame.withMutablePlanes { background.copy(rows: rows, but: changed, into: $0) }
        let layouts = PixelFormat.yuv420p.layout.planes
        var found: (rows: [[Int]], columns: [[Int]]) = ([], [])
        for (index, layout) in layouts.enumerated() {
            let across = 0..<Self.width / layout.pixelsPerGroup
            frame.withPlane(index) { plane in
                let rows = (0..<plane.rows).filter { row in
                    across.contains { plane.row(row)[$0] == code }
                }
                found.rows.append(rows)
                found.columns.append(
                    across.filter { x in rows.contains { plane.row($0)[x] == code } })
            }
        }
        return found
    }

    @Test(
        "only what the memory does not show of the latest is copied there, chroma with what it takes part in"
    )
    func stale() throws {
        var results = SteadyResults()
        #expect(copied(&results) == nil)
        results.append(plain(1), changed: RowSpans(width: 16, height: 16))
        results.append(plain(2), changed: spans(4..<6, row: 4))
        results.append(plain(3), changed: spans(15..<16, row: 15))
        // the second lacks what the third changed
        let last = try #require(copied(&results))
        #expect(last.rows == [[15], [7], [7]] && last.columns == [[15], [7], [7]])
        // the first lacks both; chroma takes part in the rows above and below its own
        let both = try #require(copied(&results))
        #expect(both.rows == [[4, 15], [1, 2, 7], [1, 2, 7]])
        #expect(both.columns == [[4, 5, 15], [2, 3, 7], [2, 3, 7]])
    }

    @Test("what is made anyway is not copied")
    func made() throws {
        var results = SteadyResults()
        results.append(plain(1), changed: RowSpans(width: 16, height: 16))
        results.append(plain(2), changed: spans(2..<14, row: 4))
        let sides = try #require(copied(&results, but: spans(6..<8, row: 4)))
        // of chroma only the sample that is made of neither of them
        #expect(sides.columns[0] == [2, 3, 4, 5, 8, 9, 10, 11, 12, 13])
        #expect(sides.columns[1] == [1, 2, 5, 6, 7])
        results.append(plain(3), changed: RowSpans(width: 16, height: 16))
        let all = try #require(copied(&results, but: RowSpans(width: 16, height: 16)))
        #expect(all.rows == [[], [], []])
    }

    @Test("rows are copied by themselves")
    func strips() throws {
        var results = SteadyResults()
        results.append(plain(1), changed: RowSpans(width: 16, height: 16))
        results.append(plain(2), changed: RowSpans(width: 16, height: 16))
        let strip = try #require(copied(&results, rows: 4..<8))
        #expect(strip.rows == [[4, 5, 6, 7], [2, 3], [2, 3]])
    }

    @Test("memory that somebody looks at is not written, and the latest never is")
    func held() throws {
        var results = SteadyResults()
        let first = plain(1)
        results.append(first, changed: RowSpans(width: 16, height: 16))
        results.append(plain(2), changed: spans(0..<1, row: 0))
        // new memory shows nothing
        let all = try #require(copied(&results))
        #expect(all.rows[0].count == 16 && all.columns[0].count == 16)
        #expect(first.withPlane(0) { $0.row(0)[0] } == 1)
        #expect(results.latest?.withPlane(0) { $0.row(0)[0] } == 2)
    }

    @Test("no more are remembered than wait for an encoder")
    func bounded() {
        var results = SteadyResults()
        for code in 0..<20 { results.append(plain(UInt8(code)), changed: spans(0..<1, row: 0)) }
        // the latest, and those that are given out one after the other
        var frames: [PixelBuffer] = []
        var isNew = false
        while !isNew {
            frames.append(
                results.next {
                    isNew = true
                    return plain(0)
                }.picture)
        }
        #expect(frames.count == 16)
    }
}
