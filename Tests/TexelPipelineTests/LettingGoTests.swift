import TestSupport
import Testing
import TexelCodecs
import TexelJPEG
import TexelPixels

@testable import TexelPipeline

/// Memory is released as soon as it is no longer needed.
@Suite struct LettingGoTests {
    private let watched = WatchedPixels()
    private let size = PixelSize(width: 160, height: 240)

    /// The decoded `source`, in pixels whose lifetime is observed.
    private func loaded(_ source: any ImageFile) throws -> DecodedImage {
        var decoded = try source.decodedAsStored()
        decoded.image = try watched.make(width: size.width, height: size.height)
        return decoded
    }

    @Test func pixelsGoWhileTheirFileIsMade() throws {
        let source = try Input.source(PixelBuffer(width: size.width, height: size.height))
        var recipe = Recipe()
        recipe.output.format = .jpeg
        let context = RouteContext(source, stop: watched.stop)
        #expect(try source.plan(recipe).file(context, from: loaded(source)).size == size)
        #expect(watched.shareWithoutPixels > 0.4)
    }
}
