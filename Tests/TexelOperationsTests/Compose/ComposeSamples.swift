import TestSupport
import Testing
import TexelPixels

@testable import TexelOperations

/// Operations that compose images, for the tests of all operations.
enum ComposeSamples {
    /// Overlays with and without alpha. A test checks that there are two.
    static let images: [OverlayImage] = [AlphaMode.straight, .opaque].compactMap { alphaMode in
        try? OverlayImage(.noise(PixelSize(width: 5, height: 4), alphaMode: alphaMode, seed: 31))
    }

    static func operations(_ size: PixelSize) -> [PixelOperation] {
        let fills: [ExtendOptions.Fill] = [
            .color(PixelColor(red: 9, green: 8, blue: 7, alpha: 6)), .edge, .mirror, .wrap,
            .blurredBackground(sigma: 0), .blurredBackground(sigma: 1.5), .blurredBackground(sigma: 7),
        ]
        let red = PixelColor(red: 200, green: 10, blue: 20, alpha: 180)
        return images.flatMap { image -> [PixelOperation] in
            [
                .overlay(OverlayOptions(image, gravity: .southeast, offsetX: -2, offsetY: 1, opacity: 0.7)),
                .overlay(OverlayOptions(image, blendMode: .softLight, scale: .fractionOfWidth(0.4))),
                .overlay(OverlayOptions(image, blendMode: .hue, scale: .fractionOfHeight(1.5), usesLinearLight: true)),
                .overlay(OverlayOptions(image, gravity: .north, offsetX: 3, blendMode: .multiply, tileSpacing: 2)),
                .overlay(OverlayOptions(image, scale: .fractionOfWidth(0.2), tileSpacing: 0)),
                .mask(image), .mask(image, fit: .contain), .mask(image, fit: .cover),
            ]
        }
            + fills.map { .extend(ExtendOptions(top: 3, left: 1, bottom: 14, right: 9, fill: $0)) }
            + [
                .border(width: 2, color: red), .round(.pixels(2.5)), .round(.fractionOfShorterSide(0.5)), .circle,
                .shadow(ShadowOptions(sigma: 1.2, offsetX: 2, offsetY: -3, color: red, opacity: 0.5)),
                .shadow(ShadowOptions(sigma: 5, offsetX: -1, offsetY: 20, color: red, keepsSize: true)),
                .shadow(ShadowOptions(sigma: 0, offsetX: 30, offsetY: 4)),
            ]
    }
}
