import SystemPackage
package import TexelCodecs
import TexelCore
import TexelFormats
import TexelPipeline
import TexelPixels

/// Names the output of each input of a call before anything is decoded, so that no two outputs have the same path.
package struct OutputNaming {
    /// Where one result is written.
    enum Destination: Sendable, Hashable {
        case file(FilePath)
        /// A path that depends on the plan, with the bytes that replace the input's name.
        case template(OutputTemplate, name: [UInt8])
        case standardOutput
    }

    /// Names the outputs of inputs.
    ///
    /// - Parameters:
    ///   - format: the requested format; `nil` keeps each input's.
    ///   - hasSeveralWidths: whether each input has several results, which need different names.
    ///   - taken: paths of other outputs.
    /// - Returns: a destination for each input, in the same order.
    static func destinations(
        for items: [InputItem], target: OutputTarget, format: ImageFormat?, hasSeveralWidths: Bool = false,
        taken: Set<FilePath> = []
    ) -> [Destination] {
        let naming = OutputNaming(format: format, hasSeveralWidths: hasSeveralWidths, taken: taken)
        return naming.destinations(for: items, target: target)
    }

    /// Names results that have no extension, such as folders.
    ///
    /// - Returns: a path in the directory for each input, in the same order; the tree of the inputs is kept.
    static func stems(for items: [InputItem], in directory: FilePath) -> [FilePath] {
        let naming = OutputNaming(format: nil, hasSeveralWidths: false, taken: [])
        let destinations = naming.unique(items) { item, name, _ in
            let path = directory.pushing(item.relativePath.removingLastComponent()).appending(bytes: name)
            return (path, .file(path))
        }
        return destinations.map { if case .file(let path) = $0 { path } else { directory } }
    }

    /// Appended to the input's name for a result beside it.
    private static let suffixBesideInput = "-texel"

    /// Returns the names of inputs whose result beside them could have this name; empty if it is not that of a result.
    ///
    /// - Parameter name: without the extension.
    /// - Returns: names without an extension, and names with the input's own, which a result keeps if another result
    ///   would have the same name.
    static func inputs(ofResult name: String, hasSeveralWidths: Bool) -> (stems: [String], names: [String]) {
        var (stems, names): ([String], [String]) = ([], [])
        if name.hasSuffix(suffixBesideInput) { stems.append(String(name.dropLast(suffixBesideInput.count))) }
        for name in [name, withoutNumber(name)].compactMap(\.self) {
            guard let dot = name.lastIndex(of: "."), name[..<dot].hasSuffix(suffixBesideInput) else { continue }
            names.append("\(name[..<dot].dropLast(suffixBesideInput.count))\(name[dot...])")
        }
        if hasSeveralWidths, name.hasSuffix("w"), let input = withoutNumber(String(name.dropLast())) {
            stems.append(input)
            names += [input, withoutNumber(input)].compactMap(\.self)
        }
        return (stems, names)
    }

    /// The name without a number after a hyphen; `nil` if it does not end in one.
    private static func withoutNumber(_ name: String) -> String? {
        let rest = name.dropLast(name.reversed().prefix { $0.isASCII && $0.isNumber }.count)
        return rest.count < name.count && rest.hasSuffix("-") ? String(rest.dropLast()) : nil
    }

    /// Predicts the formats of all results, from the names of outputs and the first bytes of inputs. Unreadable
    /// inputs are ignored.
    ///
    /// - Parameters:
    ///   - format: the requested format; `nil` keeps each input's.
    ///   - isNeeded: whether more formats than these are to be found. If not, no more inputs are read.
    /// - Returns: `nil` if an input is not a file, so that its format is unknown until it is read.
    package static func formats(
        of items: [InputItem], target: OutputTarget, format: ImageFormat?,
        while isNeeded: (Set<ImageFormat>) -> Bool = { $0.count < ImageFormat.all.count }
    ) -> Set<ImageFormat>? {
        let name =
            switch target {
            case .file(let path): path.extension
            case .template(let template): template.fileExtension
            case .besideInput, .inPlace, .directory, .standardOutput: String?.none
            }
        if let format = format ?? name.flatMap({ ImageFormat(fileExtension: $0) }) { return [format] }
        guard items.allSatisfy(\.isFile) else { return nil }
        var formats: Set<ImageFormat> = []
        for item in items {
            guard isNeeded(formats) else { break }
            if let format = Self.format(of: item) { formats.insert(format) }
        }
        return formats
    }

    /// The format of an input's result if none is requested; `nil` if the input cannot be read.
    private static func format(of item: InputItem) -> ImageFormat? {
        (try? ImageFormat(sniffing: InputReader.head(of: item.path, followsLinks: item.followsLinks)))?.formatOfResults
    }

    private let format: ImageFormat?
    private let hasSeveralWidths: Bool
    private let taken: Set<FilePath>

    private func destinations(for items: [InputItem], target: OutputTarget) -> [Destination] {
        switch target {
        case .standardOutput: return items.map { _ in .standardOutput }
        case .file(let path): return items.map { _ in .file(path) }
        case .inPlace: return items.map { $0.isFile ? .file($0.path) : .standardOutput }
        case .template(let template):
            return unique(items) { item, name, fileExtension in
                let draft = template.draft(for: item.path, name: name, fileExtension: fileExtension ?? "")
                return (draft, .template(template, name: name))
            }
        case .besideInput:
            // If the only input is standard input, write to standard output.
            if items.allSatisfy(\.isStandardInput) { return items.map { _ in .standardOutput } }
            return unique(items, suffix: hasSeveralWidths ? "" : Self.suffixBesideInput) { item, name, fileExtension in
                place(item.path.removingLastComponent(), name, fileExtension)
            }
        case .directory(let directory):
            return unique(items) { item, name, fileExtension in
                place(directory.pushing(item.relativePath.removingLastComponent()), name, fileExtension)
            }
        }
    }

    /// A path, and the destination if it is chosen.
    private typealias Claim = (path: FilePath, destination: Destination)

    private func place(_ directory: FilePath, _ name: [UInt8], _ fileExtension: String?) -> Claim {
        let path = directory.appending(bytes: name)
        let template = OutputTemplate(path, fileExtension: fileExtension, tellsWidth: hasSeveralWidths)
        guard let fileExtension else { return (path, .template(template, name: [])) }
        let file = FilePath(bytes: path.bytes + Array(".\(fileExtension)".utf8))
        return (file, hasSeveralWidths ? .template(template, name: []) : .file(file))
    }

    /// Names the outputs. The first input by sorted path gets the plain name; the others keep their own extension
    /// before the new one.
    private func unique(
        _ items: [InputItem], suffix: String = "",
        claim: (_ item: InputItem, _ name: [UInt8], _ fileExtension: String?) -> Claim
    ) -> [Destination] {
        var taken = taken
        var destinations = [Destination](repeating: .standardOutput, count: items.count)
        let sorted = zip(items.indices, items.map(\.path.string)).sorted { $0.1 < $1.1 }
        // Concurrently, because the beginning of each input may have to be read.
        let fileExtensions = ParallelJobs.map(items, fileExtension)
        for (index, _) in sorted {
            let item = items[index]
            let name = (item.relativePath.stemBytes ?? Array("picture".utf8)) + Array(suffix.utf8)
            let own = name + (item.relativePath.extension.map { Array(".\($0)".utf8) } ?? [])
            let fileExtension = fileExtensions[index]
            var next = claim(item, name, fileExtension)
            // There is a free name among as many candidates as items, unless a template does not contain the name.
            var number = 1
            while number <= items.count, taken.contains(next.path) {
                next = claim(item, number == 1 ? own : own + Array("-\(number)".utf8), fileExtension)
                number += 1
            }
            taken.insert(next.path)
            destinations[index] = next.destination
        }
        return destinations
    }

    /// The input's own extension if it fits the result's format; `nil` if the format is not known yet.
    private func fileExtension(for item: InputItem) -> String? {
        // The extension in a URL says nothing about the content.
        if !item.isFile, !item.isStandardInput, format == nil { return nil }
        let own = item.relativePath.extension
        let promised = own.flatMap { ImageFormat(fileExtension: $0) }
        // Without a requested format, the content determines it; an unreadable input keeps its name and fails later.
        guard let format = format ?? Self.format(of: item) ?? promised else {
            return nil
        }
        return promised == format ? own : format.fileExtension
    }
}

extension FilePath {
    /// The path of a file in this directory, whose name need not be valid text.
    fileprivate func appending(bytes name: [UInt8]) -> FilePath {
        FilePath(bytes: isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }
}
