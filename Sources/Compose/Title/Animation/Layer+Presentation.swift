public import Media

extension Layer {
    /// The layer as it is at an instant (timeline time), its sublayers as they are described.
    ///
    /// Of several animations of one value the one that runs counts, the later in the list if two do; else the
    /// one that ended last, else the one that begins first, as far as their fill says so.
    public func presentation(at time: MediaTime) -> Layer {
        var result = self
        var best: [LayerProperty: (rank: LayerAnimation.Claim.Rank, components: [Double])] = [:]
        for animation in animations {
            guard let claim = animation.claim(at: time) else { continue }
            if let other = best[animation.property], claim.rank < other.rank { continue }
            best[animation.property] = (claim.rank, animation.components(at: claim.progress))
        }
        // in the order of the list of properties: a whole point before its parts
        for property in LayerProperty.allCases {
            if let (_, components) = best[property] { result.set(property, components) }
        }
        return result
    }

    /// Whether the layer shows at an instant (timeline time).
    func isShown(at time: MediaTime) -> Bool { timeRange?.contains(time) ?? true }

    private mutating func set(_ property: LayerProperty, _ components: [Double]) {
        let first = components[0]
        switch property {
        case .opacity: opacity = first
        case .position: position = Point(components: components)
        case .positionX: position.x = first
        case .positionY: position.y = first
        case .scale: scale = Point(components: components)
        case .scaleX: scale.x = first
        case .scaleY: scale.y = first
        case .rotationX: rotation.x = first
        case .rotationY: rotation.y = first
        case .rotationZ: rotation.z = first
        case .boundsSize:
            bounds.width = max(0, first)
            bounds.height = max(0, components[1])
        case .color, .strokeColor, .lineWidth, .strokeStart, .strokeEnd, .textProgress:
            contents.set(property, components)
        }
    }
}

extension Layer.Contents {
    /// Does nothing where the contents have no such value.
    fileprivate mutating func set(_ property: LayerProperty, _ components: [Double]) {
        switch self {
        case .solid where property == .color:
            self = .solid(Color(components: components))
        case .text(var text):
            switch property {
            case .color: text.color = Color(components: components)
            case .strokeColor: text.outline?.color = Color(components: components)
            case .lineWidth: text.outline?.width = max(0, components[0])
            case .textProgress:
                let fraction = text.wholeCharacters(components[0])
                text.progress?.fraction = fraction
            default: return
            }
            self = .text(text)
        case .shape(var shape):
            switch property {
            case .color: shape.fill = Color(components: components)
            case .strokeColor: shape.stroke = Color(components: components)
            case .lineWidth: shape.lineWidth = max(0, components[0])
            case .strokeStart: shape.strokeStart = components[0]
            case .strokeEnd: shape.strokeEnd = components[0]
            default: return
            }
            self = .shape(shape)
        default: return
        }
    }
}
