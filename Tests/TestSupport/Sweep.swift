import Foundation

/// How much is tried of what could be tried without end: all of it by `make soak`, and otherwise a part,
/// drawn by a seed that `VCAP_SEED` names (scripts/test takes the commit's).
package enum Sweep {
    package static let isWhole = ProcessInfo.processInfo.environment["VCAP_SOAK"] == "all"

    private static let seed: UInt64 = {
        let text = ProcessInfo.processInfo.environment["VCAP_SEED"] ?? ""
        return UInt64(text, radix: 16) ?? 20_251
    }()

    /// A part of `all` of which every element is as likely as the others, in their order.
    /// - Parameter count: how many when the sweep is not whole.
    package static func part<Element>(_ count: Int, of all: [Element]) -> [Element] {
        guard !isWhole, count < all.count else { return all }
        var random = SplitMix(seed: seed)
        return all.indices.shuffled(using: &random).prefix(count).sorted().map { all[$0] }
    }

    /// A run of `count` numbers somewhere in `all`.
    package static func part(_ count: UInt64, of all: Range<UInt64>) -> Range<UInt64> {
        guard !isWhole, count < UInt64(all.count) else { return all }
        var random = SplitMix(seed: seed)
        let first = all.lowerBound + random.next() % (UInt64(all.count) - count + 1)
        return first..<first + count
    }
}
