internal import Media

extension ImageSequence {
    /// What the asset of a sequence has for a path, by which films name it: the pattern, what else distinguishes
    /// the sequence, and an ending that no file's path has. `Asset.load` takes it for the sequence.
    public func address(of pattern: String) -> String {
        var words = ["\(rate.numerator)"]
        if rate.denominator != 1 { words += ["per", "\(rate.denominator)"] }
        if let first { words += ["from", "\(first)"] }
        if let last { words += ["to", "\(last)"] }
        if step != 1 { words += ["step", "\(step)"] }
        if gaps != .error { words += ["gaps", gaps.rawValue] }
        return pattern + "/" + words.joined(separator: " ") + Self.ending
    }

    private static let ending = "/."

    /// The sequence and the pattern of an address; nil: it is a file's path.
    package static func parse(_ address: String) -> (pattern: String, sequence: ImageSequence)? {
        guard address.hasSuffix(ending), let slash = address.dropLast(2).lastIndex(of: "/") else {
            return nil
        }
        let words = address[address.index(after: slash)...].dropLast(2).split(separator: " ")
        guard words.count % 2 == 1, let numerator = words.first.flatMap({ Int32($0) }),
            numerator > 0
        else { return nil }
        var sequence = ImageSequence(rate: FrameRate(numerator))
        for index in stride(from: 1, to: words.count, by: 2) {
            let value = words[index + 1]
            switch words[index] {
            case "per":
                guard let per = Int32(value), per > 0 else { return nil }
                sequence.rate = FrameRate(numerator, per: per)
            case "from": sequence.first = Int(value)
            case "to": sequence.last = Int(value)
            case "step": sequence.step = Int(value) ?? 0
            case "gaps":
                guard let gaps = Gaps(rawValue: String(value)) else { return nil }
                sequence.gaps = gaps
            default: return nil
            }
        }
        return (String(address[..<slash]), sequence)
    }
}
