extension Timeline {
    /// The lookup tables of its clips, some more than once.
    public var tablePaths: [String] {
        (videos + overlays.flatMap(\.videos)).flatMap(\.grades).flatMap { grade in
            [grade.inputTable, grade.table].compactMap(\.self)
        }
    }
}
