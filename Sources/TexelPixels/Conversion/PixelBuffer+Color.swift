extension PixelBuffer {
    /// Converts the colours to sRGB by the buffer's profile (perceptual intent); alpha is unchanged.
    ///
    /// A grey profile describes one channel. It is applied to red, green and blue separately, so pixels that became
    /// coloured after the profile was attached keep their colours.
    ///
    /// Colours of high dynamic range (PQ, HLG) are compressed to the range of sRGB; `ToneMapping` describes the method.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public func convertedToSRGB() throws(PixelBufferError) -> PixelBuffer {
        if case .codePoints(let points) = colorSpace, !points.isFullRange, let full = points.inFullRange {
            return try expandedToFullRange(full).convertedToSRGB()
        }
        if case .codePoints(let points) = colorSpace, points.isHighDynamicRange {
            let mapping = try ToneMapping(points)
            return try converted { source, destination, count in
                mapping.convert(
                    source.assumingMemoryBound(to: UInt32.self), to: destination.assumingMemoryBound(to: UInt32.self),
                    count: count)
            }
        }
        guard let profile = try colorSpace.embeddableProfile() else {
            var labelled = self
            labelled.colorSpace = .sRGB
            return labelled
        }
        switch profile.colorModel {
        case .rgb:
            let transform = try ColorTransform(from: profile, layout: .bgra)
            return try converted { transform.convert($0, to: $1, count: $2) }
        case .gray:
            let values = try Self.grayTable(profile)
            return try converted { Self.look(up: $0, in: values, to: $1, count: $2) }
        case .cmyk, .other: throw .unusableColorProfile("it does not describe RGB or grey pixels")
        }
    }

    /// Converts the colours to another colour space (perceptual intent); alpha is unchanged.
    ///
    /// - Parameter colorSpace: the colour space of the result. Its profile, if it has one, must describe RGB.
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public func converted(to colorSpace: ColorSpace) throws(PixelBufferError) -> PixelBuffer {
        if colorSpace == self.colorSpace { return self }
        guard let target = try colorSpace.embeddableProfile() else {
            var result = try convertedToSRGB()
            result.colorSpace = colorSpace
            return result
        }
        guard target.colorModel == .rgb else { throw .unusableColorProfile("it does not describe RGB pixels") }
        // High dynamic range, the narrow range and greys have ways of their own to sRGB.
        guard self.colorSpace.hasProfile, let profile = try self.colorSpace.embeddableProfile(),
            profile.colorModel == .rgb
        else {
            let standard = self.colorSpace == .sRGB ? self : try convertedToSRGB()
            let transform = try ColorTransform(from: nil, layout: .bgra, to: target)
            return try standard.converted(as: colorSpace) { transform.convert($0, to: $1, count: $2) }
        }
        let transform = try ColorTransform(from: profile, layout: .bgra, to: target)
        return try converted(as: colorSpace) { transform.convert($0, to: $1, count: $2) }
    }

    /// Stretches samples from 16…235 to 0…255; samples outside of the narrow range are clipped.
    private func expandedToFullRange(_ points: CodePoints) throws(PixelBufferError) -> PixelBuffer {
        let gray = (0..<256).map { UInt32(min(max((Double($0) - 16) * 255 / 219, 0), 255).rounded()) * 0x1_0101 }
        var result = try converted { Self.look(up: $0, in: gray, to: $1, count: $2) }
        result.colorSpace = .codePoints(points)
        return result
    }

    /// Lets `convert` write each row from the row of this buffer, as straight pixels; it gets their number.
    ///
    /// - Parameter colorSpace: the colour space of the result.
    private func converted(
        as colorSpace: ColorSpace = .sRGB, _ convert: (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
    ) throws(PixelBufferError) -> PixelBuffer {
        let source = try alphaMode == .premultiplied ? unpremultiplied() : self
        var result = try PixelBuffer(uninitialized: size, alphaMode: source.alphaMode, colorSpace: colorSpace)
        let bytesPerRow = result.bytesPerRow
        result.withUnsafeMutableBytes { destination in
            source.withUnsafeBytes { bytes in
                guard let from = bytes.baseAddress, let to = destination.baseAddress else { return }
                for y in 0..<height { convert(from + y * source.bytesPerRow, to + y * bytesPerRow, width) }
            }
        }
        return alphaMode == .premultiplied ? try result.premultiplied() : result
    }

    /// Returns the sRGB pixel of each of the 256 greys.
    private static func grayTable(_ profile: ICCProfile) throws(PixelBufferError) -> [UInt32] {
        let transform = try ColorTransform(from: profile, layout: .gray)
        let grays = Array(UInt8.min...UInt8.max)
        var table = [UInt32](repeating: 0, count: grays.count)
        grays.withUnsafeBytes { grays in
            table.withUnsafeMutableBytes { table in
                guard let from = grays.baseAddress, let to = table.baseAddress else { return }
                transform.convert(from, to: to, count: grays.count)
            }
        }
        return table
    }

    private static func look(
        up source: UnsafeRawPointer, in table: [UInt32], to destination: UnsafeMutableRawPointer, count: Int
    ) {
        let pixels = source.assumingMemoryBound(to: UInt32.self)
        let result = destination.assumingMemoryBound(to: UInt32.self)
        for x in 0..<count {
            let pixel = pixels[x]
            result[x] =
                pixel & 0xFF00_0000 | table[Int(pixel >> 16 & 255)] & 0xFF_0000
                | table[Int(pixel >> 8 & 255)] & 0xFF00 | table[Int(pixel & 255)] & 0xFF
        }
    }
}
