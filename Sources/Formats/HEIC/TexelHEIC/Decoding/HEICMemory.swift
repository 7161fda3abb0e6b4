import TexelCodecs
import TexelPixels

/// The memory that decoding needs besides the file and the pixels.
enum HEICMemory {
    /// Returns the bytes of the planes of the whole image and its alpha, and of one coded image.
    static func bytes(of file: HEICFile) -> Double {
        let images = [file.main] + (file.alpha.map { [$0] } ?? [])
        let planes = images.reduce(0.0) { sum, image in
            sum + pixels(image.still.size) * image.samplesPerPixel * Double(image.bytesPerSample)
        }
        let coded = images.map { image in
            decoding(image.samplesPerPixel) * pixels(image.parameters.codedSize) * Double(image.bytesPerSample)
        }
        return planes + (coded.max() ?? 0)
    }

    /// The same from what a header says. Cells of a grid may extend beyond the image, by less than a cell on both
    /// sides.
    static func bytes(of info: ImageInfo) -> Double {
        let samples = info.samplesPerPixel
        let bytes: Double = info.bitDepth > 8 ? 2 : 1
        let count = pixels(info.size)
        let coded = count * min(1, 4 / cellCount(info.coding))
        return (count * (samples + (info.hasAlpha ? 1 : 0)) + coded * decoding(samples)) * bytes
    }

    /// Returns the number of cells that a description of a coding names; 1 without a grid.
    private static func cellCount(_ coding: String) -> Double {
        guard let grid = coding.firstRange(of: "grid of ") else { return 1 }
        let sides = coding[grid.upperBound...].split { !$0.isNumber }.compactMap { Double($0) }
        return max(1, sides.reduce(1, *))
    }

    /// The samples per pixel of a coded image in libde265, and of its copy for sample adaptive offsets.
    private static func decoding(_ samples: Double) -> Double { 2 * samples }

    private static func pixels(_ size: PixelSize) -> Double { Double(size.width) * Double(size.height) }
}
