extension ColorDescription {
    /// What share of a colour's luma its red and its blue are; the rest is its green's. Nil where the matrix is no
    /// weighted sum, or is not stated.
    ///
    /// Source: ITU-T H.273, table 4.
    package var lumaWeights: (red: Float, blue: Float)? {
        switch matrix {
        case 1: (0.2126, 0.0722)
        case 4: (0.30, 0.11)
        case 5, 6: (0.299, 0.114)
        case 7: (0.212, 0.087)
        case 9: (0.2627, 0.0593)
        default: nil
        }
    }
}
