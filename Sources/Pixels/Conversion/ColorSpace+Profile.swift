import CLittleCMS
package import TexelCore

extension ColorSpace {
    /// Whether the pixels may be labelled sRGB: no colour differs by more than rounding. Profiles are tested by
    /// converting colours.
    package var isSRGB: Bool {
        switch self {
        case .sRGB: true
        case .calibrated(let calibration): calibration.isSRGB
        case .codePoints(let points): points.isSRGB
        case .iccProfile(let profile): profile.isSRGB
        }
    }

    /// Whether the samples represent light beyond a display's white. Only formats that can signal this may store them.
    package var isHighDynamicRange: Bool {
        if case .codePoints(let points) = self { points.isHighDynamicRange } else { false }
    }

    /// Whether a format that only carries ICC profiles can hold the pixels as they are.
    package var hasProfile: Bool {
        if case .codePoints(let points) = self { points.hasProfile } else { true }
    }

    /// A profile of the same colours, for formats that only carry profiles; `nil` for sRGB, which needs none.
    ///
    /// - Throws: `unusableColorProfile` for a calibration that describes no display, and unless ``hasProfile``.
    package func embeddableProfile() throws(TexelError) -> ICCProfile? {
        switch self {
        case .sRGB: nil
        case .iccProfile(let profile): profile
        case .codePoints(let points): points.isSRGB ? nil : try points.profile()
        case .calibrated(let calibration): calibration.isSRGB ? nil : try calibration.profile()
        }
    }
}

extension ICCProfile {
    /// Whether its transform to sRGB changes no sample of a grid of colours, nor of any grey, by more than 1.
    fileprivate var isSRGB: Bool {
        let steps: [UInt32] = Array(stride(from: 0, through: 255, by: 17))
        let lattice = steps.flatMap { red in steps.flatMap { green in steps.map { red << 16 | green << 8 | $0 } } }
        let grays = (0..<256 as Range<UInt32>).map { $0 * 0x1_0101 }
        let pixels = (colorModel == .gray ? grays : lattice + grays).map { 0xFF00_0000 | $0 }
        guard
            let colors = try? PixelBuffer(
                width: pixels.count, height: 1, pixels: pixels, alphaMode: .opaque, colorSpace: .iccProfile(self)),
            let converted = try? colors.convertedToSRGB()
        else { return false }
        return zip(pixels, converted.pixels).allSatisfy { pixel, other in
            [0, 8, 16].allSatisfy { abs(Int(pixel >> $0 & 255) - Int(other >> $0 & 255)) <= 1 }
        }
    }
}

extension Calibration {
    /// sRGB's exponent × 100,000, as files store it.
    private static let sRGBGamma: UInt32 = 45_455

    /// Whether exponent and primaries are sRGB's except for rounding: 1 % of the exponent, 0.001 of a coordinate.
    var isSRGB: Bool {
        let gammaFits = gamma.map { abs(Int($0) - Int(Self.sRGBGamma)) <= 455 } ?? true
        return gammaFits && (chromaticities.map { $0.isClose(to: .sRGB) } ?? true)
    }

    /// Returns the profile of a display with this exponent and these primaries; sRGB's replace missing ones.
    func profile() throws(TexelError) -> ICCProfile {
        let primaries = chromaticities ?? .sRGB
        func point(_ xy: [Int32]) -> (Double, Double) { (Double(xy[0]) / 100_000, Double(xy[1]) / 100_000) }
        guard let curve = cmsBuildGamma(nil, 100_000 / Double(max(1, gamma ?? Self.sRGBGamma))) else {
            throw .unusableColorProfile("its gamma is invalid")
        }
        defer { cmsFreeToneCurve(curve) }
        return try ICCProfile(
            white: point(primaries.white), red: point(primaries.red), green: point(primaries.green),
            blue: point(primaries.blue), curve: curve, name: ColorSpace.calibrated(self).name)
    }
}

extension ICCProfile {
    /// Creates the profile of a display.
    ///
    /// - Parameters:
    ///   - white: CIE x and y, as for the primaries.
    ///   - curve: the tone curve from samples to light, for all channels.
    ///   - name: the description that programs show.
    init(
        white: (Double, Double), red: (Double, Double), green: (Double, Double), blue: (Double, Double),
        curve: OpaquePointer, name: String
    ) throws(TexelError) {
        func point(_ xy: (Double, Double)) -> cmsCIExyY { cmsCIExyY(x: xy.0, y: xy.1, Y: 1) }
        var white = point(white)
        var triple = cmsCIExyYTRIPLE(Red: point(red), Green: point(green), Blue: point(blue))
        guard white.y > 0 else { throw .unusableColorProfile("its white point is invalid") }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let handle = cmsCreateRGBProfile(&white, &triple, &curves) else {
            throw .unusableColorProfile("its primaries are invalid")
        }
        defer { cmsCloseProfile(handle) }
        // The country and language codes have three bytes with their NUL. The tag is copied.
        let description = cmsMLUalloc(nil, 1)
        defer { cmsMLUfree(description) }
        guard cmsMLUsetASCII(description, "en", "US", name) != 0,
            cmsWriteTag(handle, cmsSigProfileDescriptionTag, UnsafeRawPointer(description)) != 0
        else { throw .outOfMemory(byteCount: 0) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(handle, nil, &count) != 0 else {
            throw .unusableColorProfile("Little CMS cannot write it")
        }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard bytes.withUnsafeMutableBytes({ cmsSaveProfileToMem(handle, $0.baseAddress, &count) }) != 0,
            bytes.count >= 128
        else { throw .unusableColorProfile("Little CMS cannot write it") }
        // Little CMS stores the current time in bytes 24…35; the same input must give the same bytes.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        guard let profile = ICCProfile(bytes) else { throw .unusableColorProfile("Little CMS cannot write it") }
        self = profile
    }
}

extension Calibration.Chromaticities {
    fileprivate func isClose(to other: Self) -> Bool {
        zip(coordinates, other.coordinates).allSatisfy { abs(Int($0) - Int($1)) <= 100 }
    }
}
