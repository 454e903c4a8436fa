internal import Glibc

/// A view of a picture that lies within it, on the way from one to another.
struct ViewPlace {
    /// How much larger the picture is than its fit makes it (factor; at least 1).
    let zoom: Double
    /// In the middle of what the picture is shown in (pixels of the picture).
    let x: Double
    let y: Double

    /// Between two views sizes grow by the same factor in the same time, and what stands still in both stands still all
    /// along.
    /// - Parameters:
    ///   - share: of the way; a curve may lead beyond 0…1, a view never out of the picture.
    ///   - visible: what of the picture may be shown (pixels of it).
    ///   - room: what it is shown in (pixels).
    ///   - scale: what its fit makes of a pixel of the picture (pixels).
    init(
        from first: PictureMotion.View, to last: PictureMotion.View, at share: Double,
        of visible: Rectangle, in room: Size, _ scale: (x: Double, y: Double)
    ) {
        /// The middle of a view of a side; in the middle where all of it has room.
        func held(_ wanted: Double, _ start: Double, _ length: Double, _ reach: Double) -> Double {
            guard length > reach else { return start + length / 2 }
            return min(max(wanted, start + reach / 2), start + length - reach / 2)
        }
        let zooms = (1 / first.zoom, 1 / last.zoom)
        zoom = max(1, first.zoom * pow(last.zoom / first.zoom, share))
        let part = zooms.0 == zooms.1 ? share : (1 / zoom - zooms.0) / (zooms.1 - zooms.0)
        func across(_ view: PictureMotion.View, _ zoom: Double) -> Double {
            held(
                visible.x + view.x * visible.width, visible.x, visible.width,
                room.width / (scale.x * zoom))
        }
        func down(_ view: PictureMotion.View, _ zoom: Double) -> Double {
            held(
                visible.y + view.y * visible.height, visible.y, visible.height,
                room.height / (scale.y * zoom))
        }
        x = held(
            across(first, first.zoom).mixed(across(last, last.zoom), part), visible.x,
            visible.width, room.width / (scale.x * zoom))
        y = held(
            down(first, first.zoom).mixed(down(last, last.zoom), part), visible.y, visible.height,
            room.height / (scale.y * zoom))
    }
}
