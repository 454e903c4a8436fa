internal import Media

extension ColorGrade {
    /// What is applied, in order.
    /// - Throws: what reading a table throws.
    func steps() throws(MediaError) -> [any ColorEffect] {
        var steps: [any ColorEffect] = []
        if let inputTable { steps.append(try LookupTableShelf.table(inputTable)) }
        if temperature != 0 || tint != 0 {
            steps.append(WhiteBalance(temperature: temperature, tint: tint))
        }
        if exposure != 0 { steps.append(Exposure(stops: exposure)) }
        if contrast != 1 { steps.append(Contrast(factor: contrast)) }
        if saturation != 1 { steps.append(Saturation(factor: saturation)) }
        if lift != ChannelValues(0) || gamma != ChannelValues(1) || gain != ChannelValues(1) {
            steps.append(LiftGammaGain(lift: lift, gamma: gamma, gain: gain))
        }
        if let curve, curve != .identity {
            steps.append(ToneCurves(red: curve, green: curve, blue: curve))
        }
        let curves = [redCurve, greenCurve, blueCurve].map { $0 ?? .identity }
        if curves.contains(where: { $0 != .identity }) {
            steps.append(ToneCurves(red: curves[0], green: curves[1], blue: curves[2]))
        }
        if let table, tableStrength > 0 {
            let look = try LookupTableShelf.table(table)
            steps.append(
                tableStrength < 1 ? PartialEffect(effect: look, strength: tableStrength) : look)
        }
        return steps + effects
    }
}

/// Some of an effect.
private struct PartialEffect: ColorEffect {
    let effect: LookupTable
    let strength: Double

    func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let (whole, strength) = (effect.mapping(in: space), strength)
        return { $0 + (whole($0) - $0) * strength }
    }
}
