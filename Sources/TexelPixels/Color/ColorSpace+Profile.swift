import CLittleCMS

extension ColorSpace {
    /// Whether the pixels may be called sRGB without anybody seeing a difference.
    package var isSRGB: Bool {
        switch self {
        case .sRGB: true
        case .calibrated(let calibration): calibration.isSRGB
        case .iccProfile: false
        }
    }

    /// A profile that says the same, for formats that only carry profiles; `nil` for sRGB, which needs none.
    ///
    /// - Throws: `unusableColorProfile` for a calibration that describes no display.
    package func embeddableProfile() throws(PixelBufferError) -> ICCProfile? {
        switch self {
        case .sRGB: nil
        case .iccProfile(let profile): profile
        case .calibrated(let calibration): calibration.isSRGB ? nil : try calibration.profile()
        }
    }
}

extension Calibration {
    /// sRGB's exponent × 100,000 as files write it.
    private static let sRGBGamma: UInt32 = 45_455

    /// Whether exponent and primaries are sRGB's but for rounding: 1 % of the exponent, 0.001 of a coordinate.
    var isSRGB: Bool {
        let gammaFits = gamma.map { abs(Int($0) - Int(Self.sRGBGamma)) <= 455 } ?? true
        return gammaFits && (chromaticities.map { $0.isClose(to: .sRGB) } ?? true)
    }

    /// The profile of a display with this exponent and these primaries; what is missing is sRGB's.
    func profile() throws(PixelBufferError) -> ICCProfile {
        let primaries = chromaticities ?? .sRGB
        func point(_ xy: [Int32]) -> cmsCIExyY {
            cmsCIExyY(x: Double(xy[0]) / 100_000, y: Double(xy[1]) / 100_000, Y: 1)
        }
        var white = point(primaries.white)
        var triple = cmsCIExyYTRIPLE(
            Red: point(primaries.red), Green: point(primaries.green), Blue: point(primaries.blue))
        guard white.y > 0, let curve = cmsBuildGamma(nil, 100_000 / Double(max(1, gamma ?? Self.sRGBGamma))) else {
            throw .unusableColorProfile("its gamma or white point is impossible")
        }
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let handle = cmsCreateRGBProfile(&white, &triple, &curves) else {
            throw .unusableColorProfile("its primaries are impossible")
        }
        defer { cmsCloseProfile(handle) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(handle, nil, &count) != 0 else { throw .unusableColorProfile("it cannot be saved") }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard bytes.withUnsafeMutableBytes({ cmsSaveProfileToMem(handle, $0.baseAddress, &count) }) != 0,
            bytes.count >= 128
        else { throw .unusableColorProfile("it cannot be saved") }
        // Little CMS notes the present time in bytes 24…35; the same input must give the same bytes.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        guard let profile = ICCProfile(bytes) else { throw .unusableColorProfile("it cannot be saved") }
        return profile
    }
}

extension Calibration.Chromaticities {
    fileprivate func isClose(to other: Self) -> Bool {
        zip(coordinates, other.coordinates).allSatisfy { abs(Int($0) - Int($1)) <= 100 }
    }
}
