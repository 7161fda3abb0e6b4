import Testing
import TexelPixels

@Suite struct GravityTests {
    private let bounds = PixelSize(width: 10, height: 7)
    private let size = PixelSize(width: 3, height: 2)

    @Test(
        arguments: [
            (.northwest, 1, 2), (.north, 4, 2), (.northeast, 6, 2), (.west, 1, 4), (.center, 4, 4), (.east, 6, 4),
            (.southwest, 1, 3), (.south, 4, 3), (.southeast, 6, 3),
        ] as [(Gravity, Int, Int)])
    func offsetsPointInwards(gravity: Gravity, x: Int, y: Int) {
        let place = gravity.rectangle(of: size, in: bounds, offset: (1, 2))
        #expect(place == PixelRectangle(x: x, y: y, width: 3, height: 2))
    }

    /// Exchanging left and right, or top and bottom, mirrors the position, also outside.
    @Test func oppositeGravitiesMirrorThePosition() {
        let opposites: [(Gravity, Gravity)] = [
            (.northwest, .southeast), (.north, .south), (.northeast, .southwest), (.west, .east),
        ]
        for (first, second) in opposites {
            for size in [size, PixelSize(width: 14, height: 9), bounds] {
                let (a, b) = (
                    first.rectangle(of: size, in: bounds, offset: (2, -3)),
                    second.rectangle(of: size, in: bounds, offset: (2, -3))
                )
                if first != .north { #expect(a.x + a.width + b.x == bounds.width) }
                if first != .west { #expect(a.y + a.height + b.y == bounds.height) }
            }
        }
    }

    @Test func largerBoxesAreCentred() {
        let place = Gravity.center.rectangle(of: PixelSize(width: 13, height: 8), in: bounds)
        #expect(place.x == -2 && place.y == -1)
    }
}
