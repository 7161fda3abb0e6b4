import Foundation
import Texel

/// Draws a border around every frame of an animation.
func framed(_ file: FilePath) async throws -> [UInt8] {
    let input = try await AnimatedImage(contentsOf: file)
    let size = PixelSize(width: input.info.size.width + 8, height: input.info.size.height + 8)
    let writer = try AnimationWriter(size, as: .png(), playCount: input.playCount)
    for try await frame in input {
        let pixels = try frame.pixels.applying([.border(width: 4, color: .white)])
        try writer.append(pixels, for: frame.duration)
    }
    return try writer.finish()
}
