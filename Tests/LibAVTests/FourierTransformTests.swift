import Foundation
import LibAV
import Media
import TestSupport
import Testing

@Suite("Fourier transforms of audio")
struct FourierTransformTests {
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }

    @Test(
        "each bin is the sum of its definition, and back come the samples",
        arguments: [16, 64, 256])
    func definition(size: Int) throws {
        let transform = try FourierTransform(size: size)
        let samples = noise(size, seed: 3)
        let spectrum = transform.spectrum(of: samples)
        #expect(spectrum.count == size / 2 + 1)
        for bin in 0..<spectrum.count {
            var (re, im) = (0.0, 0.0)
            for (index, value) in samples.enumerated() {
                let angle = 2 * Double.pi * Double(bin * index % size) / Double(size)
                re += Double(value) * cos(angle)
                im -= Double(value) * sin(angle)
            }
            #expect(abs(Double(spectrum.values[2 * bin]) - re) < 1e-4)
            #expect(abs(Double(spectrum.values[2 * bin + 1]) - im) < 1e-4)
        }
        for (one, other) in zip(transform.samples(of: spectrum), samples) {
            #expect(abs(one - other) < 1e-5)
        }
        let energy = samples.reduce(0) { $0 + Double($1) * Double($1) }
        #expect(abs(spectrum.energy - energy) < 1e-3)
    }

    @Test("memory that others have used changes nothing")
    func usedMemory() throws {
        let samples = noise(4096, seed: 5)
        let first = try FourierTransform(size: 4096).spectrum(of: samples).values
        for seed in UInt64(0)..<200 {
            // what is left in memory that was given back
            _ = try FourierTransform(size: 4096).spectrum(of: noise(4096, seed: seed))
            #expect(try FourierTransform(size: 4096).spectrum(of: samples).values == first)
        }
    }

    @Test("fewer samples are as if silence followed")
    func short() throws {
        let transform = try FourierTransform(size: 64)
        let samples = noise(40, seed: 9)
        _ = transform.spectrum(of: noise(64, seed: 1))
        let whole = samples + [Float](repeating: 0, count: 24)
        #expect(
            transform.spectrum(of: samples).values == transform.spectrum(of: whole).values)
    }

    @Test("the peak of a correlation says by how much one is late")
    func correlation() throws {
        let transform = try FourierTransform(size: 1024)
        let samples = noise(400, seed: 2)
        let late = [Float](repeating: 0, count: 37) + samples
        var product = Spectrum.empty(size: 1024)
        product.addCorrelation(
            of: transform.spectrum(of: late), with: transform.spectrum(of: samples))
        let row = transform.samples(of: product)
        #expect(row.indices.max { row[$0] < row[$1] } == 37)
    }

    @Test("a size that is no power of two is refused", arguments: [0, 8, 100, 1 << 23])
    func sizes(size: Int) {
        #expect(throws: MediaError.self) { _ = try FourierTransform(size: size) }
    }
}
