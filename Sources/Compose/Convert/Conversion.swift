public import Writer

/// One source and what is made of it.
public struct Conversion: Sendable {
    /// A movie, an animation or a still picture.
    public var asset: Asset
    public var settings: ConversionSettings

    public init(_ asset: Asset, settings: ConversionSettings = ConversionSettings()) {
        self.asset = asset
        self.settings = settings
    }
}
