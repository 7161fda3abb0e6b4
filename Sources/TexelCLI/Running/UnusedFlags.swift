import ArgumentParser
import SystemPackage
import Texel

/// Refuses flags on the command line that would have no effect in this call. Flags in a recipe file are shared by
/// many calls, and are ignored if they do not apply.
enum UnusedFlags {
    /// Refuses flags about resizing in a call that does not resize.
    ///
    /// - Throws: `ValidationError`.
    static func check(_ recipe: Recipe) throws {
        var (fits, resizes, samples, mixes) = (false, false, false, false)
        for operation in recipe.operations {
            switch operation.value {
            case let options as ResizeOptions:
                (resizes, samples, mixes) = (true, true, true)
                if case .box = options.rule.target { fits = true }
            case let rotation as RotateOperation:
                samples = samples || rotation.degrees.truncatingRemainder(dividingBy: 90) != 0
            case is BlurOperation, is OverlayOptions: mixes = true
            case is TurnOperation, is AffineOperation, is PerspectiveOperation: samples = true
            default: break
            }
        }
        let size = "--width, --height, --scale, --min-width or --min-height"
        for (name, isUsed, need) in [
            ("fit", fits, "--width or --height"), ("enlarge", resizes, size),
            ("linear", mixes, "a size, --blur, --overlay or --text"), ("filter", samples, "a size, an angle or a map"),
        ] where !isUsed && RawArguments.contains(option: name) {
            throw ValidationError("--\(name) has no effect without \(need).")
        }
    }

    /// Refuses flags that have no effect on any result's format. In a batch of several formats, each flag applies to
    /// its own.
    ///
    /// - Parameter formats: the formats of all results; `nil` if they are not known yet.
    /// - Throws: `ValidationError`.
    static func check(_ encoding: EncodingOptions, formats: Set<ImageFormat>?) throws {
        guard let formats, !formats.isEmpty else { return }
        let unused = formats.map { Set(encoding.unusedFlags(for: $0)) }.reduce(nil) { common, flags in
            common.map { $0.intersection(flags) } ?? flags
        }
        guard let name = unused?.sorted().first(where: RawArguments.contains(option:)) else { return }
        let all = ImageFormat.all
        let format = all.first(where: formats.contains)
        let other = all.first { !encoding.unusedFlags(for: $0).contains(name) }
        guard let format, let other else { return }
        throw ValidationError("--\(reason(name, format)); use --format \(other.rawValue).")
    }

    /// The reason why an option is refused for a format.
    static func reason(_ name: String, _ format: ImageFormat) -> String {
        name == "background"
            ? "background must be opaque for a \(format.displayName)"
            : "\(name) has no effect on a \(format.displayName)"
    }

    /// Makes a function that returns why a format is refused, for a call with one input whose format is known only
    /// later.
    static func refusal(of encoding: EncodingOptions) -> @Sendable (ImageFormat) -> String? {
        let flags = Dictionary(
            uniqueKeysWithValues: ImageFormat.all.map { format in
                (format, encoding.unusedFlags(for: format).first(where: RawArguments.contains(option:)))
            })
        return { format in
            flags[format].flatMap { $0 }.map { "--\(reason($0, format))" }
        }
    }
}
