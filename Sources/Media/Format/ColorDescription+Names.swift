extension ColorDescription {
    /// Of the high dynamic range that the frames have; nil: they have none.
    package var rangeName: String? {
        switch transfer {
        case 16: "PQ (HDR)"
        case 18: "HLG (HDR)"
        default: nil
        }
    }

    /// Of the colours that are wider than those of sRGB, the range first; nil: they are not.
    package var wideName: String? {
        if let rangeName { return rangeName }
        return switch primaries {
        case 9: "BT.2020"
        case 11: "DCI-P3"
        case 12: "Display P3"
        default: nil
        }
    }

    /// What is to be said of frames written into files of frames, whose colours are sRGB's; nil: nothing.
    /// - Parameter what: whose frames they are.
    package func stillCaution(of what: String) -> String? {
        wideName.map { name in
            "The frames of \(what) are \(name) and are brought to "
                + (rangeName == nil
                    ? "the colours of sRGB" : "SDR, highlights compressed,")
                + " in files of frames, which hold no more."
        }
    }
}
