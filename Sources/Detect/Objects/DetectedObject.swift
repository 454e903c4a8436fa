public import Media

/// A face, a body or a cat's head that a frame shows.
public struct DetectedObject: MetadataObject, Hashable {
    /// `face`, `humanBody` or `catHead`.
    public var type: MetadataObjectType
    public var time: MediaTime
    public var bounds: NormalizedRect
    /// Which one it is: the same number in each frame that shows it, from 1 (of one detector, over all types). One that
    /// was out of view for more than two seconds gets another.
    public var objectID: Int
    /// How sure the detector is (0 to 1; for comparison, no probability).
    public var confidence: Double
    /// How far it is tilted, clockwise as the frame shows it (degrees, -180 to 180); `nil` where it is not known: of bodies,
    /// and of faces and cats' heads but for a thorough look (in steps of 30) and for a face that a model found.
    public var rollAngle: Double?
    /// How far it is turned to the right as the frame shows it (degrees, -90 to 90; 0 looks at the camera), estimated; `nil`
    /// where it is not known: for all but faces that a model found.
    public var yawAngle: Double?

    public init(
        type: MetadataObjectType, time: MediaTime, bounds: NormalizedRect, objectID: Int,
        confidence: Double, rollAngle: Double? = nil, yawAngle: Double? = nil
    ) {
        self.type = type
        self.time = time
        self.bounds = bounds
        self.objectID = objectID
        self.confidence = confidence
        self.rollAngle = rollAngle
        self.yawAngle = yawAngle
    }
}
