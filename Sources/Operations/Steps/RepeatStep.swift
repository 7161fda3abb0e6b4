package import TexelCore
package import TexelPixels

/// Places the image on a larger canvas, and repeats its pixels around it.
package struct RepeatStep: RowStep {
    package enum Repetition: String, Sendable {
        /// The nearest pixel.
        case edge
        /// The image mirrored at its edges, which occur twice.
        case mirror
        /// Copies of the image.
        case wrap

        /// Returns which of `count` pixels in a line is shown at an index that may be outside.
        func source(of index: Int, count: Int) -> Int {
            switch self {
            case .edge: return min(max(index, 0), count - 1)
            case .mirror:
                let place = Repetition.wrap.source(of: index, count: 2 * count)
                return place < count ? place : 2 * count - 1 - place
            case .wrap:
                let remainder = index % count
                return remainder < 0 ? remainder + count : remainder
            }
        }
    }

    let canvas: PixelSize
    /// Where the image is on the canvas; has its size.
    let place: PixelRectangle
    let repetition: Repetition

    package var summary: String { "extend to \(canvas), \(repetition.rawValue)" }

    package func outputSize(of source: PixelSize) -> PixelSize { canvas }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        var (first, last) = (source.height, -1)
        for y in rows {
            let row = repetition.source(of: y - place.y, count: source.height)
            (first, last) = (min(first, row), max(last, row))
        }
        return rows.isEmpty ? 0..<0 : first..<(last + 1)
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        guard place.size == source.size, place.isInside(canvas) else { throw .rectangleOutOfBounds(place, canvas) }
        return Pass(self)
    }

    private final class Pass: StepPass {
        private let step: RepeatStep
        /// The column of the image that each column of the canvas beside it shows.
        private let left: [Int]
        private let right: [Int]

        init(_ step: RepeatStep) {
            self.step = step
            let (place, width) = (step.place, step.place.width)
            left = (0..<place.x).map { step.repetition.source(of: $0 - place.x, count: width) }
            right = (width..<(step.canvas.width - place.x)).map { step.repetition.source(of: $0, count: width) }
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            let place = step.place
            for y in rows {
                let from = source.pixels(step.repetition.source(of: y - place.y, count: place.height))
                let to = destination.pixels(y)
                for x in left.indices { to[x] = from[left[x]] }
                (to + place.x).update(from: from, count: place.width)
                let rest = to + place.x + place.width
                for x in right.indices { rest[x] = from[right[x]] }
            }
        }
    }
}
