internal import CPangoCairo

/// The installed fonts as fontconfig finds them, without what a user's settings say of their drawing. Loaded
/// with the first text, once for the process; the process's own fontconfig settings stay as they are.
enum TitleFonts {
    /// Rules that come after all others: grey edges, no subpixels. Hints are taken off by Cairo's options: where
    /// fontconfig takes them off, Cairo 1.16 takes the bitmaps away as well, and with them all colour emoji.
    private static let rules = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
        <fontconfig><match target="font">
        <edit name="antialias" mode="assign"><bool>true</bool></edit>
        <edit name="rgba" mode="assign"><const>none</const></edit>
        <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
        <edit name="hinting" mode="assign"><bool>true</bool></edit>
        <edit name="autohint" mode="assign"><bool>false</bool></edit>
        <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
        </match></fontconfig>
        """

    /// An `FcConfig`, or nil for fontconfig's own where it cannot be made.
    nonisolated(unsafe) static let config: OpaquePointer? = {
        guard let config = FcInitLoadConfig() else { return nil }
        let isRead = rules.withCString { text in
            text.withMemoryRebound(to: FcChar8.self, capacity: rules.utf8.count + 1) {
                FcConfigParseAndLoadFromMemory(config, $0, FcBool(1))
            }
        }
        guard isRead != 0, FcConfigBuildFonts(config) != 0 else {
            FcConfigDestroy(config)
            return nil
        }
        return config
    }()
}
