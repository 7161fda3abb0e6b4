import SystemPackage
import TexelCodecs

/// Gives each input of a call its output path before anything is read, so that no two write to the same place.
enum OutputNaming {
    /// Where one result goes.
    enum Destination: Sendable, Hashable {
        case file(FilePath)
        /// Known when the plan is.
        case template(OutputTemplate)
        case standardOutput
    }

    /// - Parameter format: what is asked for; `nil` keeps each input's.
    static func destinations(
        for items: [InputItem], target: OutputTarget, format: ImageFormat?
    ) -> [Destination] {
        switch target {
        case .standardOutput: return items.map { _ in .standardOutput }
        case .template(let template): return items.map { _ in .template(template) }
        case .file(let path): return items.map { _ in .file(path) }
        case .inPlace: return items.map { $0.isStandardInput ? .standardOutput : .file($0.path) }
        case .besideInput:
            // A stream goes on as a stream.
            if items.allSatisfy(\.isStandardInput) { return items.map { _ in .standardOutput } }
            return unique(items) { item in
                let directory = item.path.removingLastComponent()
                return Name(directory: directory, stem: (item.path.stem ?? "picture") + "-texel", item, format)
            }
        case .directory(let directory):
            return unique(items) { item in
                let place = directory.pushing(item.relativePath.removingLastComponent())
                return Name(directory: place, stem: item.relativePath.stem ?? "picture", item, format)
            }
        }
    }

    /// The first by sorted input path gets the name; the others keep their own extension before the new one.
    private static func unique(_ items: [InputItem], name: (InputItem) -> Name) -> [Destination] {
        var taken: Set<FilePath> = []
        var paths = [FilePath](repeating: "", count: items.count)
        for index in items.indices.sorted(by: { items[$0].path.string < items[$1].path.string }) {
            let path = name(items[index]).path(avoiding: taken)
            taken.insert(path)
            paths[index] = path
        }
        return paths.map { .file($0) }
    }

    /// What a result may be called, the best first.
    private struct Name {
        let directory: FilePath
        let stem: String
        let ownExtension: String?
        let fileExtension: String

        init(directory: FilePath, stem: String, _ item: InputItem, _ format: ImageFormat?) {
            self.directory = directory
            self.stem = stem
            ownExtension = item.relativePath.extension
            let promised = ownExtension.flatMap { ImageFormat(fileExtension: $0) }
            // Without a wish the content decides; what cannot be read will fail under its own name.
            let format = format ?? (try? ImageFormat(sniffing: InputReader.head(of: item.path))) ?? promised
            if let ownExtension, promised != nil, promised == format {
                fileExtension = ownExtension
            } else {
                fileExtension = (format ?? .jpeg).fileExtension
            }
        }

        /// What the result is called when the names in `taken` are gone.
        func path(avoiding taken: Set<FilePath>) -> FilePath {
            let own = ownExtension.map { "\(stem).\($0)" } ?? stem
            var path = directory.appending("\(stem).\(fileExtension)")
            var number = 1
            while taken.contains(path) {
                let unique = number == 1 ? own : "\(own)-\(number)"
                path = directory.appending("\(unique).\(fileExtension)")
                number += 1
            }
            return path
        }
    }
}
