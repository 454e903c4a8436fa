extension ToneCurve {
    /// Reads points as what goes in and what comes out (0 to 1), in order: `0/0 0.5/0.6 1/1`. Nil when they are none.
    public init?(projectText text: String) {
        var points: [Point] = []
        for pair in text.split(separator: " ") {
            let numbers = pair.split(separator: "/", omittingEmptySubsequences: false)
                .map { Double($0) }
            guard numbers.count == 2, let input = numbers[0], let output = numbers[1] else {
                return nil
            }
            points.append(Point(input, output))
        }
        self.init(points)
        guard isUsable else { return nil }
    }

    /// As it is read.
    var projectText: String {
        points.map { "\(Self.text($0.input))/\(Self.text($0.output))" }.joined(separator: " ")
    }

    private static func text(_ number: Double) -> String {
        number == 0 ? "0" : number == 1 ? "1" : "\(number)"
    }
}
