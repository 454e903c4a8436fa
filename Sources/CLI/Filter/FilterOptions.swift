/// The options that change frames, the same for a recording and a conversion.
enum FilterOptions {
    static let filter = Option<WantedFilter>(
        nil, "filter", .filter,
        "change the frames: mosaic-faces covers faces, sticker=FILE puts a picture over each, matte=motion, "
            + "matte=depth:NEAR..FAR (vcap record) and matte=model:FILE.onnx keep what moves, is so near or your "
            + "model finds before what --behind says; several work one after the other",
        isRepeatable: true)
    static let behind = Option<WantedBehind>(
        nil, "behind", .behind,
        "what lies behind the foreground of a matte: blur, a colour, a picture, or a title over the background"
    )

    static let specs = [filter.spec, behind.spec]
}
