public import SystemPackage
package import TexelCodecs
import TexelCore
import TexelFormats
import TexelPipeline
import TexelPixels

/// The name of a result in an ``OutputStore``.
public enum OutputName: Sendable, Hashable {
    case path(FilePath)
    /// A path that depends on the plan, with the bytes that replace the input's name.
    case template(OutputTemplate, name: [UInt8])
    /// Standard output, which has no names.
    case standardOutput
}

/// The rules by which the results of a call are named before anything is decoded, so that no two have the same path.
public struct OutputNaming: Sendable {
    /// The requested format; `nil` keeps each input's.
    private let format: ImageFormat?
    /// Whether each input has several results, which need different names.
    let hasSeveralWidths: Bool
    /// The paths of other outputs.
    private let taken: Set<FilePath>

    package init(format: ImageFormat?, hasSeveralWidths: Bool = false, taken: Set<FilePath> = []) {
        (self.format, self.hasSeveralWidths, self.taken) = (format, hasSeveralWidths, taken)
    }

    /// Names results in a directory in which the tree of the inputs is kept.
    ///
    /// - Returns: a name for each input, in the same order.
    public func mirrored(_ items: [InputItem], in directory: FilePath = "") -> [OutputName] {
        unique(items) { item, name, fileExtension in
            place(directory.pushing(item.relativePath.removingLastComponent()), name, fileExtension)
        }
    }

    /// Names results that have no extension, such as folders.
    ///
    /// - Returns: a path in the directory for each input, in the same order; the tree of the inputs is kept.
    package static func stems(for items: [InputItem], in directory: FilePath) -> [FilePath] {
        let names = OutputNaming(format: nil).unique(items) { item, name, _ in
            let path = directory.pushing(item.relativePath.removingLastComponent()).appending(bytes: name)
            return (path, .path(path))
        }
        return names.map { if case .path(let path) = $0 { path } else { directory } }
    }

    /// Appended to the input's name for a result beside it.
    static let suffixBesideInput = "-texel"

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
        of items: [InputItem], in store: any OutputStore, format: ImageFormat?,
        while isNeeded: (Set<ImageFormat>) -> Bool = { $0.count < ImageFormat.all.count }
    ) -> Set<ImageFormat>? {
        let promised = store.promisedName?.extension.flatMap { ImageFormat(fileExtension: $0) }
        if let format = format ?? promised { return [format] }
        guard items.allSatisfy({ $0.filePath != nil }) else { return nil }
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

    /// A path that tells whether the name is taken, and the name.
    typealias Choice = (path: FilePath, name: OutputName)

    func place(_ directory: FilePath, _ name: [UInt8], _ fileExtension: String?) -> Choice {
        let path = directory.appending(bytes: name)
        let template = OutputTemplate(path, fileExtension: fileExtension, tellsWidth: hasSeveralWidths)
        guard let fileExtension else { return (path, .template(template, name: [])) }
        let file = FilePath(bytes: path.bytes + Array(".\(fileExtension)".utf8))
        return (file, hasSeveralWidths ? .template(template, name: []) : .path(file))
    }

    /// Names the outputs. The first input by sorted path gets the plain name; the others keep their own extension
    /// before the new one.
    func unique(
        _ items: [InputItem], suffix: String = "",
        choose: (_ item: InputItem, _ name: [UInt8], _ fileExtension: String?) -> Choice
    ) -> [OutputName] {
        var taken = taken
        var names = [OutputName](repeating: .standardOutput, count: items.count)
        let sorted = zip(items.indices, items.map(\.path.string)).sorted { $0.1 < $1.1 }
        // Concurrently, because the beginning of each input may have to be read.
        let fileExtensions = ParallelJobs.map(items, fileExtension)
        for (index, _) in sorted {
            let item = items[index]
            let name = (item.relativePath.stemBytes ?? Array("picture".utf8)) + Array(suffix.utf8)
            let own = name + (item.relativePath.extension.map { Array(".\($0)".utf8) } ?? [])
            let fileExtension = fileExtensions[index]
            var next = choose(item, name, fileExtension)
            // There is a free name among as many candidates as items, unless a template does not contain the name.
            var number = 1
            while number <= items.count, taken.contains(next.path) {
                next = choose(item, number == 1 ? own : own + Array("-\(number)".utf8), fileExtension)
                number += 1
            }
            taken.insert(next.path)
            names[index] = next.name
        }
        return names
    }

    /// The input's own extension if it fits the result's format; `nil` if the format is not known yet.
    private func fileExtension(for item: InputItem) -> String? {
        // The extension in a URL says nothing about the content.
        if item.filePath == nil, !item.isStandardInput, format == nil { return nil }
        let own = item.relativePath.extension
        let promised = own.flatMap { ImageFormat(fileExtension: $0) }
        // Without a requested format, the content determines it; an unreadable input keeps its name and fails later.
        guard let format = format ?? Self.format(of: item) ?? promised else {
            return nil
        }
        return promised == format ? own : format.fileExtension
    }
}

extension InputExpansion.Outcome {
    /// Removes images that an earlier call appears to have written beside its inputs: images found in directories
    /// or by patterns whose name is that of a result of another image there.
    ///
    /// - Parameter hasSeveralWidths: whether each input has several results. Only then are names such as
    ///   `photo-640w.jpg` taken for results: they may as well come from somewhere else.
    /// - Returns: how many were removed.
    package mutating func removeOutputsBesideInputs(hasSeveralWidths: Bool) -> Int {
        func place(_ item: InputItem) -> String {
            "\(item.path.removingLastComponent())/\(item.path.stem ?? "")"
        }
        let places = Set(items.map(place))
        let names = Set(items.map { "\($0.path.removingLastComponent())/\($0.path.lastComponent?.string ?? "")" })
        let count = items.count
        items.removeAll { item in
            guard item.finding != nil else { return false }
            let inputs = OutputNaming.inputs(ofResult: place(item), hasSeveralWidths: hasSeveralWidths)
            return inputs.stems.contains { places.contains($0) } || inputs.names.contains { names.contains($0) }
        }
        return count - items.count
    }
}

extension FilePath {
    /// The path of a file in this directory, whose name need not be valid text.
    fileprivate func appending(bytes name: [UInt8]) -> FilePath {
        FilePath(bytes: isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }
}
