internal import Glibc

/// The cosine of half a turn times `part`: 1 at 0, −1 at 1.
func cosine(_ part: Double) -> Double { cos(part * .pi) }
