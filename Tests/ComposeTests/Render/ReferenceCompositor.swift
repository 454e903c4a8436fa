import Compose
import LibAV
import Media

/// What the compositor should make, by the definitions, slowly and in double precision: planes of codes,
/// not rounded.
struct ReferenceCompositor {
    let target: VideoFormat

    /// A plane of the frame: how large its samples are and where they lie (pixels).
    struct Grid {
        var columns: Int
        var rows: Int
        var across: Double
        var down: Double
        var originX: Double
        var originY: Double
    }

    var grids: [Grid] {
        (0..<3).map { index in
            let layout = (target.pixelFormat ?? .yuv420p).layout.planes[index]
            let (across, down) = (layout.pixelsPerGroup, layout.rowsPerRow)
            return Grid(
                columns: (target.width + across - 1) / across,
                rows: (target.height + down - 1) / down, across: Double(across),
                down: Double(down), originX: 0.5, originY: down == 2 ? 1 : 0.5)
        }
    }

    func compose(_ scene: Scene) -> [[Double]] {
        let codes = ReferenceColor(target)
        let back = codes.codes(
            red: scene.background.red, green: scene.background.green,
            blue: scene.background.blue)
        return (0..<3).map { index in
            let grid = grids[index]
            var plane = [Double](repeating: back[index], count: grid.columns * grid.rows)
            for layer in scene.layers { draw(layer, index, grid, &plane) }
            for tile in scene.overlays { draw(tile, index, grid, &plane) }
            return plane
        }
    }

    private func draw(_ layer: SceneLayer, _ index: Int, _ grid: Grid, _ plane: inout [Double]) {
        let source = ReferenceSource(layer.picture, layer.format, target)
        let map = layer.format.uprightTransform.followed(by: layer.transform)
        guard let back = map.inverse, let toUpright = layer.transform.inverse else { return }
        let size = layer.format.uprightSize
        var fill: [Double]?
        switch layer.fill {
        case .none: break
        case .blurred(let radius): fill = blurred(layer, source, radius, index, grid)
        case .color(let color):
            let code = ReferenceColor(target).codes(
                red: color.red, green: color.green, blue: color.blue)[index]
            fill = plane.map { _ in code }
        }
        let shape = layer.decoration.isEmpty ? nil : ReferenceShape(layer)
        if let shape { drawShadow(of: layer, shape, index, grid, &plane) }
        defer { if let shape { drawBorder(of: layer, shape, index, grid, &plane) } }
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let place = column + row * grid.columns
                let (x, y) = (
                    grid.originX + Double(column) * grid.across,
                    grid.originY + Double(row) * grid.down
                )
                let from = back.apply(x: x, y: y)
                let sample = source.sample(index, from.x, from.y, map, grid)
                let edges = coverage(column, row, grid) { x, y in
                    let point = toUpright.apply(x: x, y: y)
                    let isInside =
                        point.x >= 0 && point.y >= 0 && point.x < size.width
                        && point.y < size.height
                    return isInside ? 1 : 0
                }
                let crop = coverage(column, row, grid) { x, y in
                    self.crop(layer, toUpright.apply(x: x, y: y))
                }
                let behind = plane[place]
                if let fill {
                    let shown = edges * sample.opacity
                    let content = fill[place] * (1 - shown) + sample.code * shown
                    let weight = crop * layer.opacity
                    plane[place] = behind * (1 - weight) + content * weight
                } else {
                    let inside = shape.map { shape in
                        coverage(column, row, grid) { shape.holds($0, $1) ? 1 : 0 }
                    }
                    let weight = (inside ?? edges * crop) * sample.opacity * layer.opacity
                    plane[place] = behind * (1 - weight) + sample.code * weight
                }
            }
        }
    }

    private func drawShadow(
        of layer: SceneLayer, _ shape: ReferenceShape, _ index: Int, _ grid: Grid,
        _ plane: inout [Double]
    ) {
        guard let shadow = layer.decoration.shadow else { return }
        paint(shadow.color, layer.opacity, index, grid, &plane) { column, row in
            let x = (Double(column) + 0.5) * grid.across - shadow.x
            let y = (Double(row) + 0.5) * grid.down - shadow.y
            var dark =
                shadow.blur == 0
                ? coverage(column, row, grid) {
                    shape.holds($0 - shadow.x, $1 - shadow.y) ? 1 : 0
                } : max(0, min(1, 0.5 - shape.distance(x, y) / (2 * shadow.blur)))
            if shadow.blur > 0 { dark = dark * dark * (3 - 2 * dark) }
            return dark * (1 - coverage(column, row, grid) { shape.holds($0, $1) ? 1 : 0 })
        }
    }

    private func drawBorder(
        of layer: SceneLayer, _ shape: ReferenceShape, _ index: Int, _ grid: Grid,
        _ plane: inout [Double]
    ) {
        guard let border = layer.decoration.border else { return }
        let inner = ReferenceShape(layer, inset: border.width)
        paint(border.color, layer.opacity, index, grid, &plane) { column, row in
            coverage(column, row, grid) { x, y in
                shape.holds(x, y) && !(inner?.holds(x, y) ?? false) ? 1 : 0
            }
        }
    }

    private func paint(
        _ color: Color, _ opacity: Double, _ index: Int, _ grid: Grid, _ plane: inout [Double],
        _ share: (Int, Int) -> Double
    ) {
        let code = ReferenceColor(target).codes(
            red: color.red, green: color.green, blue: color.blue)[index]
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let weight = share(column, row) * color.alpha * opacity
                let place = column + row * grid.columns
                plane[place] = plane[place] * (1 - weight) + code * weight
            }
        }
    }

    /// How far a point of the upright frame is inside the crop: 0…1.
    private func crop(_ layer: SceneLayer, _ point: (x: Double, y: Double)) -> Double {
        guard let crop = layer.crop else { return 1 }
        let size = layer.format.uprightSize
        func edge(_ inside: Double, isOwn: Bool) -> Double {
            if isOwn && layer.fill == .none { return 1 }
            if isOwn || layer.softness == 0 { return inside >= 0 ? 1 : 0 }
            return max(0, min(1, inside / layer.softness))
        }
        return edge(point.x - crop.x, isOwn: crop.x == 0)
            * edge(crop.x + crop.width - point.x, isOwn: crop.x + crop.width == size.width)
            * edge(point.y - crop.y, isOwn: crop.y == 0)
            * edge(crop.y + crop.height - point.y, isOwn: crop.y + crop.height == size.height)
    }

    /// The mean of a function over what a sample covers.
    private func coverage(
        _ column: Int, _ row: Int, _ grid: Grid, _ value: (Double, Double) -> Double
    ) -> Double {
        let (left, top) = (Double(column) * grid.across, Double(row) * grid.down)
        let inset = 1e-7
        let corners = [
            value(left + inset, top + inset), value(left + grid.across - inset, top + inset),
            value(left + inset, top + grid.down - inset),
            value(left + grid.across - inset, top + grid.down - inset),
        ]
        if corners.allSatisfy({ $0 == 1 }) { return 1 }
        let steps = 16
        var sum = 0.0
        for j in 0..<steps {
            for i in 0..<steps {
                sum += value(
                    left + (Double(i) + 0.5) / Double(steps) * grid.across,
                    top + (Double(j) + 0.5) / Double(steps) * grid.down)
            }
        }
        return sum / Double(steps * steps)
    }

    /// The picture over the whole frame, under a true Gaussian.
    private func blurred(
        _ layer: SceneLayer, _ source: ReferenceSource, _ deviation: Double, _ index: Int,
        _ grid: Grid
    ) -> [Double] {
        let size = layer.format.uprightSize
        let (width, height) = (Double(target.width), Double(target.height))
        let scale = max(width / size.width, height / size.height)
        let map = layer.format.uprightTransform.followed(
            by: Transform2D(
                a: scale, b: 0, c: 0, d: scale, tx: (width - size.width * scale) / 2,
                ty: (height - size.height * scale) / 2))
        guard let back = map.inverse else { return [] }
        var plane: [Double] = []
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let from = back.apply(
                    x: grid.originX + Double(column) * grid.across,
                    y: grid.originY + Double(row) * grid.down)
                plane.append(source.sample(index, from.x, from.y, map, grid).code)
            }
        }
        let across = Gaussian(deviation: deviation / grid.across)
        let down = Gaussian(deviation: deviation / grid.down)
        let once = (0..<plane.count).map { place in
            across.mean(count: grid.columns, at: place % grid.columns) {
                plane[place - place % grid.columns + $0]
            }
        }
        return (0..<plane.count).map { place in
            down.mean(count: grid.rows, at: place / grid.columns) {
                once[place % grid.columns + $0 * grid.columns]
            }
        }
    }

    private func draw(_ tile: OverlayTile, _ index: Int, _ grid: Grid, _ plane: inout [Double]) {
        let codes = ReferenceColor(target)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let x = grid.originX + Double(column) * grid.across - Double(tile.x) - 0.5
                let y = grid.originY + Double(row) * grid.down - Double(tile.y) - 0.5
                let color = filtered(tile.image, x, y, grid)
                guard color.alpha > 0 else { continue }
                let code = codes.codes(
                    red: color.red / color.alpha, green: color.green / color.alpha,
                    blue: color.blue / color.alpha)[index]
                let weight = color.alpha * tile.opacity
                let place = column + row * grid.columns
                plane[place] = plane[place] * (1 - weight) + code * weight
            }
        }
    }

    private func filtered(
        _ image: PixelBuffer, _ x: Double, _ y: Double, _ grid: Grid
    ) -> (red: Double, green: Double, blue: Double, alpha: Double) {
        var sums = [0.0, 0, 0, 0]
        var total = 0.0
        image.withPlane(0) { plane in
            for row in Int(y.rounded(.down)) - 2...Int(y.rounded(.down)) + 3 {
                for column in Int(x.rounded(.down)) - 2...Int(x.rounded(.down)) + 3 {
                    let weight =
                        max(0, 1 - abs(Double(column) - x) / grid.across)
                        * max(0, 1 - abs(Double(row) - y) / grid.down)
                    total += weight
                    guard (0..<image.width).contains(column), (0..<image.height).contains(row)
                    else { continue }
                    for part in 0..<4 {
                        sums[part] += weight * Double(plane.row(row)[4 * column + part]) / 255
                    }
                }
            }
        }
        return (sums[2] / total, sums[1] / total, sums[0] / total, sums[3] / total)
    }
}

/// Weights of a Gaussian.
struct Gaussian {
    let deviation: Double

    /// The weighted mean of values around one; the ends continue beyond the edges.
    func mean(count: Int, at center: Int, _ value: (Int) -> Double) -> Double {
        let reach = Int(deviation * 4) + 1
        var (sum, total) = (0.0, 0.0)
        for offset in -reach...reach {
            let weight = exponential(-Double(offset * offset) / (2 * deviation * deviation))
            sum += weight * value(max(0, min(count - 1, center + offset)))
            total += weight
        }
        return sum / total
    }
}
