import Testing

@testable import Media

@Suite("The range of a photo's depth")
struct DepthRangeTests {
    static let formats = [
        DepthFormat.millimetres, DepthFormat(unit: .metres(0.00025)),
        DepthFormat(unit: .metres(1.0 / 3)), DepthFormat(unit: .metres(1e-9)),
        DepthFormat(unit: .metres(1e6)), DepthFormat(unit: .inverseMetres(0.0001)),
        DepthFormat(unit: .inverseMetres(1e6)), DepthFormat(unit: .inverseMetres(1e-9)),
        DepthFormat(
            unit: .pixels(1.0 / 16),
            calibration: DepthCalibration(focalLength: 702.5, baseline: 0.06)),
    ]

    @Test(
        "a reader that knows only near, far and the form finds each value's distance",
        arguments: formats)
    func exact(_ format: DepthFormat) throws {
        let range = DepthRange(of: format)
        #expect(range.isMetric)
        #expect(range.near < range.far)
        for value in Array(1...300) + Array(stride(from: 301, through: 65_535, by: 97)) + [65_535] {
            let value = UInt16(value)
            let code = range.swapped(value)
            #expect(range.swapped(code) == value)
            let distance = try #require(format.distance(of: value))
            let read = range.distance(of: Int(code), largest: 65_535)
            #expect(abs(read - distance) <= 1e-9 * distance, "\(value): \(read) \(distance)")
        }
        // what is not known is what is nearest to a stranger
        #expect(range.swapped(0) == 0)
        #expect(range.distance(of: 0, largest: 65_535) == range.near)
    }

    @Test("numbers that went through text say the same, and other ones do not", arguments: formats)
    func text(_ format: DepthFormat) throws {
        let range = DepthRange(of: format)
        let (near, far) = (range.near.plainText, range.far.plainText)
        #expect(!near.contains("e") && !far.contains("e"))
        #expect(Double(near) == range.near && Double(far) == range.far)
        let read = try #require(
            DepthRange(
                range.form, near: Double(near) ?? -1, far: Double(far) ?? -1, isMetric: true))
        #expect(read.agrees(with: range))
        let scaled = try #require(
            DepthRange(range.form, near: range.near, far: range.far * 1.001, isMetric: true))
        #expect(!scaled.agrees(with: range))
        let lost = try #require(
            DepthRange(range.form, near: range.near, far: range.far, isMetric: false))
        #expect(!lost.agrees(with: range))
    }

    @Test(
        "a stranger's distance is rounded once, to the unit that was asked for, or is unknown there"
    )
    func roundedOnce() throws {
        for form in [DepthRange.Form.linear, .inverse] {
            let range = try #require(DepthRange(form, near: 0.5, far: 10, isMetric: true))
            let millimetres = DepthFormat(unit: .metres(0.001))
            for code in 0...255 {
                let distance = range.distance(of: code, largest: 255)
                let value = range.value(of: code, largest: 255, in: millimetres, isWanted: true)
                #expect(abs(Double(value) - distance * 1000) <= 0.5 + 1e-9, "\(code)")
            }
            // tenths of a micrometre end at 6.5 mm, steps of 100 m begin behind it
            for step in [1e-7, 100] {
                let unit = DepthFormat(unit: .metres(step))
                #expect(range.value(of: 90, largest: 255, in: unit, isWanted: true) == 0)
            }
        }
    }

    @Test("distances up to a factor, and disparity of no known pair, are no metres")
    func relative() {
        #expect(!DepthRange(of: DepthFormat(accuracy: .relative)).isMetric)
        #expect(!DepthRange(of: DepthFormat(unit: .pixels(0.0625))).isMetric)
    }

    @Test("what none can be is refused")
    func impossible() {
        for (near, far) in [
            (1.0, 1.0), (2, 1), (-1, 1), (.nan, 1), (0, .infinity), (0, .nan), (0, 0),
        ] {
            for form in DepthRange.Form.allCases {
                #expect(DepthRange(form, near: near, far: far, isMetric: true) == nil)
            }
        }
        #expect(DepthRange(.inverse, near: 0, far: 5, isMetric: true) == nil)
        #expect(DepthRange(.linear, near: 0, far: 5, isMetric: true) != nil)
        // no unit holds these
        #expect(DepthRange(.linear, near: 0, far: 1e-7, isMetric: true)?.nearestFormat == nil)
        #expect(DepthRange(.inverse, near: 1e-30, far: 1, isMetric: true)?.nearestFormat == nil)
    }

    @Test("a stranger's range of bytes is rounded once", arguments: DepthRange.Form.allCases)
    func stranger(_ form: DepthRange.Form) throws {
        let range = try #require(DepthRange(form, near: 0.29, far: 8.787, isMetric: true))
        let format = try #require(range.nearestFormat)
        for code in 0...255 {
            let wanted = range.distance(of: code, largest: 255)
            let value = range.value(of: code, largest: 255, in: format)
            let found = try #require(format.distance(of: value))
            let (one, other) =
                form == .linear ? (found, wanted) : (1 / found, 1 / wanted)
            #expect(abs(one - other) <= format.unit.step * 0.5001, "\(code)")
        }
        #expect(abs(range.distance(of: 255, largest: 255) - 8.787) < 1e-9)
        #expect(abs(range.distance(of: 0, largest: 255) - 0.29) < 1e-9)
    }

    @Test("exponents become digits")
    func digits() {
        #expect(1.5e-7.plainText == "0.00000015")
        #expect((-1.5e-7).plainText == "-0.00000015")
        #expect(1e-9.plainText == "0.000000001")
        #expect(2.5e17.plainText == "250000000000000000.0")
        #expect(1e20.plainText == "100000000000000000000.0")
        #expect(65.535.plainText == "65.535")
        #expect(0.0.plainText == "0.0")
    }

    @Test("what is turned and turned back lies as before")
    func undone() {
        for rotation in VideoOrientation.Rotation.allCases {
            for isMirrored in [false, true] {
                let turned = VideoOrientation(rotation: rotation, isMirrored: isMirrored)
                #expect(turned.followed(by: turned.undone) == .upright)
                #expect(turned.undone.followed(by: turned) == .upright)
            }
        }
    }
}
