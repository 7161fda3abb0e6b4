import Foundation
import TestSupport
import Testing
import TexelCore
import TexelPixels

@Suite struct PerspectiveTests {
    private let rotations = [
        Rotation3D(yaw: 35, pitch: 20), Rotation3D(yaw: -60), Rotation3D(pitch: 75),
        Rotation3D(yaw: 10, pitch: -40, roll: 120),
        Rotation3D(yaw: 85, roll: 45), Rotation3D(yaw: 160, pitch: 5),
    ]

    @Test(arguments: awkwardSizes)
    func noTurnIsTheIdentity(size: PixelSize) throws {
        let image = try PixelBuffer.noise(size)
        #expect(try image.inPerspective(Rotation3D()) == image)
        #expect(try image.inPerspective(Rotation3D(yaw: 360, pitch: -720)) == image)
    }

    @Test func rollAloneIsTheRotation() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33))
        #expect(try image.inPerspective(Rotation3D(roll: 30)) == image.rotated(by: 30))
        // Through the projection itself, with a yaw too small to be visible.
        let opaque = try PixelBuffer.smooth(PixelSize(width: 65, height: 33))
        let turned = try opaque.inPerspective(Rotation3D(yaw: 1e-9, roll: 30), background: .white)
        let rotated = try opaque.rotated(by: 30, background: .white)
        #expect(turned.size == rotated.size)
        #expect(turned.largestDifference(from: rotated) <= 1)
    }

    @Test func seenFromBehindIsTheMirror() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33), alphaMode: .opaque)
        #expect(try image.inPerspective(Rotation3D(yaw: 180), background: .white) == image.flippedHorizontally())
        #expect(try image.inPerspective(Rotation3D(pitch: 180), background: .white) == image.flippedVertically())
    }

    @Test func theSideTurnedAwayIsSmaller() throws {
        let image = try PixelBuffer(width: 100, height: 100, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
        func extent(_ pixels: [UInt32]) -> Int { pixels.count { $0 >> 24 > 127 } }
        let yawed = try image.inPerspective(Rotation3D(yaw: 40))
        let left = (0..<yawed.height).map { yawed[2, $0] }
        let right = (0..<yawed.height).map { yawed[yawed.width - 3, $0] }
        #expect(extent(left) > extent(right) + 20)
        let pitched = try image.inPerspective(Rotation3D(pitch: 40))
        let top = (0..<pitched.width).map { pitched[$0, 2] }
        let bottom = (0..<pitched.width).map { pitched[$0, pitched.height - 3] }
        #expect(extent(bottom) > extent(top) + 20)
    }

    @Test func canvasIsTheBoxAroundTheCorners() throws {
        // By hand: a 30×40 image, camera at distance 50, yaw 60: the sides are at ±7.5, with depths of 50 ± 12.99.
        let image = try PixelBuffer(width: 30, height: 40)
        let result = try image.inPerspective(Rotation3D(yaw: 60))
        let reach = 15 * sin(Double.pi / 3)
        let (near, far) = (50 - reach, 50 + reach)
        let (width, height) = (375 / near + 375 / far, 2000 / near)
        #expect(result.width == Int(width.rounded(.up)))
        #expect(result.height == Int(height.rounded(.up)))
    }

    @Test(arguments: ResamplingFilter.allCases)
    func whiteOnWhiteStaysWhite(filter: ResamplingFilter) throws {
        for rotation in rotations {
            for size in awkwardSizes {
                let image = try PixelBuffer(
                    width: size.width, height: size.height, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
                let result = try image.inPerspective(rotation, filter: filter, background: .white)
                #expect(result.alphaMode == .opaque)
                #expect(result.pixels.allSatisfy { $0 == 0xFFFF_FFFF }, "\(size) at \(rotation)")
            }
        }
    }

    @Test func fineDetailFarAwayBecomesGrey() throws {
        let image = try PixelBuffer.drawn(PixelSize(width: 300, height: 100)) { x, y in
            (x + y) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000
        }
        for filter in [ResamplingFilter.bilinear, .catmullRom, .lanczos3] {
            let result = try image.inPerspective(Rotation3D(yaw: 80), filter: filter, background: .white)
            let middle = result.height / 2
            for x in (result.width / 2)..<(result.width - 4) {
                for channel in result.channels(x, middle) where channel != 255 {
                    #expect(abs(channel - 127) <= 12, "\(filter) at \(x)")
                }
            }
        }
    }

    @Test func bandsGiveTheSameBytesAsTheWhole() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33))
        let warp = try Warp(
            turning: image.size, to: Rotation3D(yaw: 50, pitch: 10, roll: 5), filter: .lanczos3,
            background: .transparent)
        let whole = try image.inPerspective(Rotation3D(yaw: 50, pitch: 10, roll: 5)).pixels
        let size = warp.canvasSize
        for band in [0..<1, 3..<9, 9..<size.height] {
            var banded = try PixelBuffer(width: size.width, height: size.height, filledWith: 7)
            banded.updateRaster(to: .straight) { canvas in
                image.withRaster {
                    warp.render(rows: band, of: $0, into: canvas, workspace: Warp.Workspace(warp))
                }
            }
            let pixels = (band.lowerBound * size.width)..<(band.upperBound * size.width)
            #expect(banded.pixels[pixels] == whole[pixels])
            #expect(banded.pixels[..<pixels.lowerBound].allSatisfy { $0 == 7 })
            #expect(banded.pixels[pixels.upperBound...].allSatisfy { $0 == 7 })
        }
    }

    @Test func edgeOnIsRefused() throws {
        let image = try PixelBuffer(width: 65, height: 33)
        for rotation in [
            Rotation3D(yaw: 90), Rotation3D(pitch: -90), Rotation3D(yaw: 89.99), Rotation3D(yaw: 89, pitch: 89),
        ] {
            #expect {
                try image.inPerspective(rotation)
            } throws: { error in
                (error as? TexelError)?.kind == .invalidArgument && "\(error)".contains("edge-on")
            }
        }
        #expect(throws: TexelError.invalidTransform("the angle must be finite; it is nan degrees")) {
            try image.inPerspective(Rotation3D(yaw: .nan))
        }
        #expect(throws: TexelError.resultTooLarge) {
            try image.inPerspective(Rotation3D(yaw: 10), pixelLimit: 1000)
        }
    }
}
