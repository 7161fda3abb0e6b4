import Texel

/// The path of a `.cube` file, which is read at once.
struct LUTArgument: ArgumentValue {
    /// Larger files are rejected.
    private static let byteLimit = 256 << 20

    let table: Result<ColorLUT, ArgumentFile.Fault>

    init?(argument: String) {
        if argument.isEmpty { return nil }
        table = ArgumentFile.value(of: argument) { path throws(ArgumentFile.Fault) in
            let text = try ArgumentFile.text(of: path, byteLimit: Self.byteLimit)
            do { return try ColorLUT(cubeText: text) } catch { throw ArgumentFile.Fault("\(error)") }
        }
    }
}

/// The colours of results: `srgb`, `display-p3`, or the path of an ICC profile, which is read at once.
struct ColorProfileArgument: ArgumentValue {
    /// Larger files are rejected.
    private static let byteLimit = 8 << 20

    let colorSpace: Result<ColorSpace, ArgumentFile.Fault>

    init?(argument: String) {
        switch argument {
        case "": return nil
        case "srgb": colorSpace = .success(.sRGB)
        case "display-p3": colorSpace = .success(.displayP3)
        default:
            colorSpace = ArgumentFile.value(of: argument) { path throws(ArgumentFile.Fault) in
                let bytes = try ArgumentFile.bytes(of: path, byteLimit: Self.byteLimit)
                guard let profile = ICCProfile(bytes), profile.colorModel == .rgb else {
                    throw ArgumentFile.Fault("the file is not an ICC profile of RGB colours")
                }
                guard profile.isTarget else {
                    throw ArgumentFile.Fault("colours cannot be converted to those of this ICC profile")
                }
                return .iccProfile(profile)
            }
        }
    }
}
