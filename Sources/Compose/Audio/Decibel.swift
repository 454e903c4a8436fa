internal import Glibc

/// Levels (dB) and amplitudes (1 = full scale).
enum Decibel {
    static func amplitude(_ level: Double) -> Double { pow(10, level / 20) }
    static func level(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
}
