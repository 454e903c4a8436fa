internal import Glibc

/// A sine for templates and test tones.
package enum Sine {
    package static func value(cycles: Double) -> Float { Float(sin(2 * Double.pi * cycles)) }
}
