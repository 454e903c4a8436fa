internal import Glibc

/// The C library's functions that Swift's own library lacks.
enum Trigonometry {
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func sine(_ angle: Double) -> Double { sin(angle) }
}
