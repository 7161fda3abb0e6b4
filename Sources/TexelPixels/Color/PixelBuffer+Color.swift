extension PixelBuffer {
    /// The same colours as sRGB, by the pixels' profile (perceptual intent); alpha is untouched.
    ///
    /// A grey profile reads the pixels' blue byte: grey files decode to three equal bytes.
    /// - Throws: `unusableColorProfile`; `outOfMemory`.
    public func convertedToSRGB() throws(PixelBufferError) -> PixelBuffer {
        guard let profile = try colorSpace.embeddableProfile() else {
            var labelled = self
            labelled.colorSpace = .sRGB
            return labelled
        }
        switch profile.colorModel {
        case .rgb: return try converted(from: profile, layout: .bgra)
        case .gray: return try converted(from: profile, layout: .gray)
        case .cmyk, .other: throw .unusableColorProfile("it is not a profile for RGB or grey pixels")
        }
    }

    private func converted(
        from profile: ICCProfile, layout: ColorTransform.Layout
    ) throws(PixelBufferError) -> PixelBuffer {
        let transform = try ColorTransform(from: profile, layout: layout)
        let source = try alphaMode == .premultiplied ? unpremultiplied() : self
        var result = try PixelBuffer(uninitialized: size, alphaMode: source.alphaMode, colorSpace: .sRGB)
        let bytesPerRow = result.bytesPerRow
        var grays = [UInt8](repeating: 0, count: width)
        result.withUnsafeMutableBytes { destination in
            source.withUnsafeBytes { bytes in
                guard let from = bytes.baseAddress, let to = destination.baseAddress else { return }
                for y in 0..<height {
                    let row = from + y * source.bytesPerRow
                    let resultRow = to + y * bytesPerRow
                    guard layout == .gray else {
                        transform.convert(row, to: resultRow, count: width)
                        continue
                    }
                    for x in 0..<width { grays[x] = row.load(fromByteOffset: 4 * x, as: UInt8.self) }
                    grays.withUnsafeBytes { grays in
                        guard let base = grays.baseAddress else { return }
                        transform.convert(base, to: resultRow, count: width)
                    }
                    for x in 0..<width {
                        let alpha = row.load(fromByteOffset: 4 * x + 3, as: UInt8.self)
                        resultRow.storeBytes(of: alpha, toByteOffset: 4 * x + 3, as: UInt8.self)
                    }
                }
            }
        }
        return alphaMode == .premultiplied ? try result.premultiplied() : result
    }
}
