import Testing

@testable import Media

@Suite("Depth")
struct DepthTests {
    private let calibration = DepthCalibration(focalLength: 700, baseline: 0.06)

    private func data(
        _ values: [UInt16], width: Int? = nil, _ format: DepthFormat = .millimetres
    ) throws -> DepthData {
        let width = width ?? values.count
        return try DepthData(
            map: PixelBuffer(steps: values, width: width, height: values.count / width),
            format: format)
    }

    @Test("a value has its unit's measure, a distance in metres, and 0 is unknown")
    func values() throws {
        let depth = try data([0, 1500, 65_535])
        #expect(depth.value(x: 0, y: 0) == nil)
        #expect(depth.distance(x: 1, y: 0) == 1.5)
        #expect(depth.distance(x: 2, y: 0) == 65.535)
        let inverse = try data([50], DepthFormat(unit: .inverseMetres(0.01)))
        #expect(inverse.value(x: 0, y: 0) == 0.5)
        #expect(inverse.distance(x: 0, y: 0) == 2)
        let pixels = try data(
            [320], DepthFormat(unit: .pixels(1.0 / 16), calibration: calibration))
        #expect(pixels.value(x: 0, y: 0) == 20)
        #expect(abs(try #require(pixels.distance(x: 0, y: 0)) - 2.1) < 1e-12)
        let uncalibrated = try data([320], DepthFormat(unit: .pixels(1.0 / 16)))
        #expect(uncalibrated.distance(x: 0, y: 0) == nil)
    }

    @Test(
        "each distance becomes the nearest disparity and comes back within half a step of it",
        arguments: [DepthUnit.inverseMetres(0.0001), .pixels(1.0 / 16), .pixels(1.0 / 256)])
    func roundTrip(unit: DepthUnit) throws {
        let format = DepthFormat(calibration: calibration)
        let values = (200...20_000).map { UInt16($0) }
        let depth = try data(values, format)
        let disparity = try depth.converted(to: unit)
        #expect(disparity.kind == .disparity)
        let back = try disparity.converted(to: format.unit)
        for (index, value) in values.enumerated() {
            let distance = Double(value) / 1000
            let exact: Double
            switch unit {
            case .inverseMetres(let step): exact = 1 / distance / step
            case .pixels(let step): exact = 700 * 0.06 / distance / step
            case .metres: exact = 0
            }
            try #require(exact <= 65_535.5)
            let step = Double(disparity.steps[index])
            try #require(abs(step - exact) <= 0.5 + 1e-9, "\(value) mm is \(exact), not \(step)")
            // half a step of disparity either way, and half a millimetre of rounding
            let (near, far) = (
                distance * exact / (exact + 0.5), distance * exact / max(exact - 0.5, 1e-9)
            )
            let found = Double(back.steps[index]) / 1000
            try #require(found >= near - 0.00051 && found <= far + 0.00051)
        }
    }

    @Test("what another unit has no value for becomes unknown, and unknown stays unknown")
    func outOfRange() throws {
        let depth = try data([0, 1, 100, 60_000])
        let disparity = try depth.converted(to: .inverseMetres(0.01))
        // 1 mm is 100,000 steps: more than there are; 60 m is 1.67 steps
        #expect(disparity.steps == [0, 0, 1000, 2])
        #expect(try depth.converted(to: .inverseMetres(10)).steps == [0, 100, 1, 0])
        #expect(try depth.converted(to: .metres(0.002)).steps == [0, 1, 50, 30_000])
        #expect(try depth.converted(to: .metres(0.001)).map.sharesPixels(with: depth.map))
    }

    @Test(
        "pixels of disparity become other pixels without a calibration, and distances only with one"
    )
    func calibrated() throws {
        let pixels = try data([16, 40], DepthFormat(unit: .pixels(1.0 / 16)))
        #expect(try pixels.converted(to: .pixels(0.5)).steps == [2, 5])
        #expect(throws: MediaError.self) { try pixels.converted(to: .metres(0.001)) }
        #expect(throws: MediaError.self) {
            try data([1000]).converted(to: .pixels(1.0 / 16))
        }
        let format = DepthFormat(unit: .pixels(1), calibration: calibration)
        #expect(try data([42], format).converted(to: .metres(0.001)).steps == [1000])
    }

    @Test("other pixels, steps and pairs of cameras that none can be are refused")
    func refusals() throws {
        #expect(throws: MediaError.self) {
            try DepthData(
                map: PixelBuffer(width: 2, height: 2, format: .gray), format: .millimetres)
        }
        for step in [0, -1, .nan, .infinity, 1e7] {
            #expect(throws: MediaError.self) { try DepthFormat(unit: .metres(step)).validate() }
        }
        for pair in [(0.0, 1.0), (700, 0), (.nan, 1), (700, .infinity)] {
            let calibration = DepthCalibration(focalLength: pair.0, baseline: pair.1)
            #expect(throws: MediaError.self) {
                try DepthFormat(calibration: calibration).validate()
            }
        }
    }

    @Test("a file whose pair of cameras cannot be read keeps its unit, and says so")
    func unreadableCalibration() {
        func read(_ focal: String?, _ baseline: String?) -> DepthFormat? {
            let tags = [
                "DEPTH_UNIT": "0.0625 px", "DEPTH_FOCAL_LENGTH": focal, "DEPTH_BASELINE": baseline,
            ]
            return DepthFormat { tags[$0] ?? nil }
        }
        for (focal, baseline) in [
            ("0 px", "0.06 m"), ("700 px", "-1 m"), ("700", "0.06 m"), ("700 px", nil),
            ("nan px", "0.06 m"),
        ] as [(String?, String?)] {
            let format = read(focal, baseline)
            #expect(format?.unit == .pixels(0.0625) && format?.calibration == nil)
            #expect(format?.isCalibrationUnreadable == true)
            #expect(format?.description.contains("calibration unreadable") == true)
        }
        #expect(read("700 px", "0.06 m")?.calibration?.baseline == 0.06)
        #expect(read(nil, nil)?.isCalibrationUnreadable == false)
    }

    @Test(
        "what a file says of depth is read back as it was written",
        arguments: [
            DepthFormat.millimetres,
            DepthFormat(unit: .metres(0.00025), accuracy: .relative, isFiltered: true),
            DepthFormat(unit: .inverseMetres(1.0 / 3)),
            DepthFormat(
                unit: .pixels(1.0 / 16),
                calibration: DepthCalibration(focalLength: 701.337, baseline: 0.0625)),
        ])
    func tags(format: DepthFormat) {
        let tags = Dictionary(uniqueKeysWithValues: format.tags.map { ($0.name, $0.value) })
        #expect(DepthFormat { tags[$0] } == format)
    }

    @Test(
        "a file that states no unit, or none that can be, states no depth",
        arguments: ["", "1", "m", " m", "0 m", "-1 m", "nan m", "1e99 m", "1 parsec", "0.001m"])
    func hostileTags(unit: String) {
        #expect(DepthFormat { $0 == "DEPTH_UNIT" ? unit : nil } == nil)
    }

    // MARK: filters

    private func filter(reach: Int, temporal: Bool = false) throws -> DepthFilter {
        try DepthFilter(.init(holeReach: reach, isTemporal: temporal))
    }

    @Test(
        "a hole is filled from the farther side, no farther than its reach, and known values stay")
    func holes() throws {
        var filter = try filter(reach: 2)
        let depth = try data([900, 0, 0, 0, 0, 0, 3000, 0])
        let filled = filter.apply(depth)
        #expect(filled.steps == [900, 900, 900, 0, 3000, 3000, 3000, 3000])
        #expect(filled.format.isFiltered)
        var near = try self.filter(reach: 4)
        #expect(near.apply(try data([900, 0, 3000])).steps == [900, 3000, 3000])
        // the farther disparity is the smaller one
        let disparity = try data([900, 0, 300], DepthFormat(unit: .pixels(1)))
        #expect(near.apply(disparity).steps == [900, 300, 300])
        // from above and below as well
        #expect(near.apply(try data([5, 0, 7], width: 1)).steps == [5, 7, 7])
    }

    @Test("a still scene that flickers by a step comes to rest, and what moves is not smoothed")
    func temporal() throws {
        var filter = try filter(reach: 0, temporal: true)
        var seen: [UInt16] = []
        for frame in 0..<40 {
            seen.append(filter.apply(try data([2000 + UInt16(frame % 2) * 4])).steps[0])
        }
        let rest = seen.suffix(20)
        #expect(try #require(rest.max()) - (try #require(rest.min())) <= 2, "\(seen)")
        #expect(rest.allSatisfy { (2000...2004).contains($0) })
        #expect(filter.apply(try data([3000])).steps == [3000])
        #expect(filter.apply(try data([1000])).steps == [1000])
    }

    @Test("a constant value stays what it is, to the unit", arguments: [1, 255, 4096, 65_535])
    func constant(value: UInt16) throws {
        var filter = try filter(reach: 8, temporal: true)
        for _ in 0..<10 {
            #expect(filter.apply(try data([value, value])).steps == [value, value])
        }
    }

    @Test("a point that is lost keeps its value for three frames and is unknown then")
    func held() throws {
        var filter = try filter(reach: 0, temporal: true)
        _ = filter.apply(try data([1200]))
        let after = try (0..<5).map { _ in filter.apply(try data([0])).steps[0] }
        #expect(after == [1200, 1200, 1200, 0, 0])
        _ = filter.apply(try data([1200]))
        filter.reset()
        #expect(filter.apply(try data([0])).steps == [0])
        // another size begins anew
        _ = filter.apply(try data([1200]))
        #expect(filter.apply(try data([0, 0])).steps == [0, 0])
    }

    @Test("a reach that is none is refused", arguments: [-1, 65])
    func reach(pixels: Int) {
        #expect(throws: MediaError.self) {
            try DepthFilter(.init(holeReach: pixels, isTemporal: false))
        }
    }
}
