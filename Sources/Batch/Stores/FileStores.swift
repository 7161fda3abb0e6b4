public import SystemPackage
public import TexelCore
import TexelPipeline

/// A directory, which is created if it is missing. The tree of the inputs is kept in it.
public struct DirectoryStore: OutputStore, Hashable {
    /// The path of the directory.
    public let path: FilePath

    /// Makes a store for a directory.
    public init(_ path: FilePath) { self.path = path }

    public var directory: FilePath? { path }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        naming.mirrored(items, in: path)
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        try ClaimedFile.claim(name, below: path, makesDirectories: true, for: request)
    }
}

/// The paths that a template gives for each result.
public struct TemplateStore: OutputStore, Hashable {
    /// The template of the paths.
    public let template: OutputTemplate

    /// Makes a store for the paths of a template.
    public init(_ template: OutputTemplate) { self.template = template }

    public var directory: FilePath? { template.directory }
    public var ownDirectoryName: FilePath? { template.directoryBelowInput }
    public var promisedName: FilePath? { template.fileExtension == nil ? nil : FilePath(template.text) }
    public var tellsWidths: Bool { template.tellsWidth }
    public var namesKey: String? { template.text }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        naming.unique(items) { item, name, fileExtension in
            let draft = template.draft(for: item.path, name: name, fileExtension: fileExtension ?? "")
            return (draft, .template(template, name: name))
        }
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        let own = request.item.directory
        let root = template.directory ?? (name.relative(to: own) == nil ? name.removingLastComponent() : own)
        return try ClaimedFile.claim(name, below: root, makesDirectories: true, for: request)
    }
}

/// The directory of each input, where its result is named `{name}-texel.{ext}`. If the only input is standard input,
/// the result is written to standard output.
public struct BesideInputStore: OutputStore, Hashable {
    /// Makes a store for the directories of inputs.
    public init() {}

    public var writesBesideInputs: Bool { true }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        if items.allSatisfy(\.isStandardInput) { return items.map { _ in .standardOutput } }
        let suffix = naming.hasSeveralWidths ? "" : OutputNaming.suffixBesideInput
        return naming.unique(items, suffix: suffix) { item, name, fileExtension in
            naming.place(item.path.removingLastComponent(), name, fileExtension)
        }
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        try ClaimedFile.claim(name, below: request.item.directory, makesDirectories: false, for: request)
    }
}

/// The inputs themselves, each of which is replaced by its result.
public struct InPlaceStore: OutputStore, Hashable {
    /// Makes a store that replaces inputs.
    public init() {}

    public var replacesInputs: Bool { true }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        items.map { $0.filePath.map { .path($0) } ?? .standardOutput }
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        try ClaimedFile.input(name, below: request.item.folder, for: request)
    }
}

/// One file, or a pipe or device, which is written to directly.
public struct FileStore: OutputStore, Hashable {
    /// The path of the file.
    public let path: FilePath

    /// Makes a store for a file.
    public init(_ path: FilePath) { self.path = path }

    public var ownPaths: [FilePath] { [path] }
    public var promisedName: FilePath? { path }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] { items.map { _ in .path(path) } }

    public func isExclusive(_ name: FilePath) -> Bool { !name.isDeviceOrPipe }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        if name.isDeviceOrPipe { return ClaimedFile.stream(name, for: request) }
        return try ClaimedFile.claim(name, below: nil, makesDirectories: true, for: request)
    }
}

extension InputItem {
    /// The folder that was walked to find the input, or the directory of its path.
    fileprivate var directory: FilePath { folder ?? path.removingLastComponent() }
}

extension OutputStore where Self == DirectoryStore {
    /// A directory, which is created if it is missing. The tree of the inputs is kept.
    public static func directory(_ path: FilePath) -> DirectoryStore { DirectoryStore(path) }
}

extension OutputStore where Self == TemplateStore {
    /// The path that a template gives for each result.
    public static func template(_ template: OutputTemplate) -> TemplateStore { TemplateStore(template) }
}

extension OutputStore where Self == BesideInputStore {
    /// Beside each input, as `{name}-texel.{ext}`.
    public static var besideInput: BesideInputStore { BesideInputStore() }
}

extension OutputStore where Self == InPlaceStore {
    /// Replaces each input.
    public static var inPlace: InPlaceStore { InPlaceStore() }
}

extension OutputStore where Self == FileStore {
    /// One file.
    public static func file(_ path: FilePath) -> FileStore { FileStore(path) }
}
