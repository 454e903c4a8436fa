/// Changes rows of a high dynamic range by tables that `ToneMap` makes.
///
/// Pixels go through it in blocks, each of its steps over a whole block: so the compiler makes vector instructions of
/// the arithmetic (SSE2, which every x86-64 has), and what it cannot, looking up, stands in loops of its own.
struct ToneRow: Sendable {
    /// By codes: light, 1 being diffuse white (of HLG the scene's most).
    let lights: [Float]
    /// What HLG's display does, by luminance of the scene.
    let displayed: LightTable?
    /// What red, green and blue have of the scene's luminance.
    let weights: SIMD3<Float>
    /// From the source's primaries to the target's.
    let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    /// What is left of the largest component's light, by it.
    let gains: LightTable
    /// By light.
    let codes: DisplayCodes

    /// Pixels that are taken at once: what is known of them stays in a processor's first cache.
    private static let blockLength = 128

    private typealias Floats = UnsafeMutableBufferPointer<Float>
    private typealias Numbers = UnsafeMutableBufferPointer<Int32>

    /// What is known of the pixels of a block.
    private struct Block {
        let count: Int
        let red: Floats
        let green: Floats
        let blue: Floats
        /// What a table has for them.
        let shares: Floats
        /// Where a table has it, of each component.
        let places: (Numbers, Numbers, Numbers)

        /// - Parameters:
        ///   - floats: four times the length of a block.
        ///   - numbers: three times the length of a block.
        init(_ count: Int, _ floats: Floats, _ numbers: Numbers) {
            func part<Value>(
                _ memory: UnsafeMutableBufferPointer<Value>, _ index: Int
            ) -> UnsafeMutableBufferPointer<Value> {
                let first = index * ToneRow.blockLength
                return UnsafeMutableBufferPointer(rebasing: memory[first..<first + count])
            }
            self.count = count
            (red, green, blue) = (part(floats, 0), part(floats, 1), part(floats, 2))
            shares = part(floats, 3)
            places = (part(numbers, 0), part(numbers, 1), part(numbers, 2))
        }
    }

    /// - Parameter target: another row, or the same.
    func apply(_ source: RGBRow, into target: RGBRow, count: Int) {
        let length = Self.blockLength
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * length) { floats in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * length) { numbers in
                for first in stride(from: 0, to: count, by: length) {
                    let block = Block(min(length, count - first), floats, numbers)
                    look(source, from: first, block)
                    if let displayed { display(displayed, block) }
                    tone(block)
                    encode(block, target, from: first)
                }
            }
        }
    }

    /// Makes light of codes.
    @inline(__always)
    private func look(_ row: RGBRow, from first: Int, _ block: Block) {
        let (red, green, blue) = (row.red + first, row.green + first, row.blue + first)
        lights.withUnsafeBufferPointer { lights in
            for x in 0..<block.count {
                block.red[x] = lights[Int(red[x])]
                block.green[x] = lights[Int(green[x])]
                block.blue[x] = lights[Int(blue[x])]
            }
        }
    }

    /// Makes the display's light of the scene's.
    @inline(__always)
    private func display(_ table: LightTable, _ block: Block) {
        let (red, green, blue, shares) = (block.red, block.green, block.blue, block.shares)
        let (steps, weights, places) = (table.steps, weights, block.places.0)
        for x in 0..<block.count {
            let luminance = weights.x * red[x] + weights.y * green[x] + weights.z * blue[x]
            places[x] = steps.index(of: luminance)
        }
        table.values.withUnsafeBufferPointer { values in
            for x in 0..<block.count { shares[x] = values[Int(places[x])] }
        }
        for x in 0..<block.count {
            red[x] *= shares[x]
            green[x] *= shares[x]
            blue[x] *= shares[x]
        }
    }

    /// Brings light to the other primaries, and finds out what is to be left of it.
    @inline(__always)
    private func tone(_ block: Block) {
        let (red, green, blue, shares) = (block.red, block.green, block.blue, block.shares)
        let (steps, columns, places) = (gains.steps, columns, block.places.0)
        for x in 0..<block.count {
            let (r, g, b) = (red[x], green[x], blue[x])
            let first = columns.0.x * r + columns.1.x * g + columns.2.x * b
            let second = columns.0.y * r + columns.1.y * g + columns.2.y * b
            let third = columns.0.z * r + columns.1.z * g + columns.2.z * b
            (red[x], green[x], blue[x]) = (first, second, third)
            let larger = first > second ? first : second
            places[x] = steps.index(of: larger > third ? larger : third)
        }
        gains.values.withUnsafeBufferPointer { values in
            for x in 0..<block.count { shares[x] = values[Int(places[x])] }
        }
    }

    /// Makes codes of what is left of light; what lies outside the primaries is none.
    @inline(__always)
    private func encode(_ block: Block, _ row: RGBRow, from first: Int) {
        let (red, green, blue) = (row.red + first, row.green + first, row.blue + first)
        let (codes, places) = (codes, block.places)
        for x in 0..<block.count {
            let share = block.shares[x]
            places.0[x] = codes.index(of: block.red[x] * share)
            places.1[x] = codes.index(of: block.green[x] * share)
            places.2[x] = codes.index(of: block.blue[x] * share)
        }
        codes.values.withUnsafeBufferPointer { values in
            for x in 0..<block.count {
                red[x] = values[Int(places.0[x])]
                green[x] = values[Int(places.1[x])]
                blue[x] = values[Int(places.2[x])]
            }
        }
    }
}
