/// The word a person most likely meant: at most two slips of the finger away.
package func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, distance: editDistance(word, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    let allowed = word.count < 3 ? 1 : 2
    return best.distance <= allowed ? best.word : nil
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
package func editDistance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
            var best = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, rows[i - 1][j - 1] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
