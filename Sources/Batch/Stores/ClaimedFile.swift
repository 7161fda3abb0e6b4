import SystemPackage
import TexelCodecs
import TexelCore
import TexelPipeline

/// The claimed path of a file that does not exist yet, or that will be replaced.
struct ClaimedFile: UnfinishedOutput {
    let place: OutputPlace?
    private let target: OutputPlace
    /// The file whose times the result gets.
    private let times: FilePath?
    /// The input, if the result takes its place.
    private let replacedInput: FilePath?

    private init(_ target: OutputPlace, for request: OutputRequest, replacing input: FilePath? = nil) {
        (place, self.target, replacedInput) = (target, target, input)
        times = request.options.keepsTimes ? request.item.filePath : nil
    }

    /// Claims a path that must be free, or whose file may be replaced.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named, below which Texel chose the name: the output must be in it, and no
    ///     links below it are followed. `nil` for a file that the user named.
    ///   - makesDirectories: whether missing directories below `root` are created.
    /// - Returns: `nil` if the output exists and is to be skipped.
    /// - Throws: `outsideFolder`, `isLink`, `isInput`, `alreadyExists`, `changed`.
    static func claim(
        _ path: FilePath, below root: FilePath?, makesDirectories: Bool, for request: OutputRequest
    ) throws(TexelError) -> ClaimedFile? {
        if let root, path.relative(to: root) == nil { throw .outsideFolder(path, root) }
        let options = request.options
        // Does not follow links, so that a dangling link counts as existing.
        let existing = FileStatus(path, followsLinks: false)
        let isLink = existing?.isLink ?? false
        let isOwnInput = existing != nil && (request.item.filePath.map { path.isSameFile(as: $0) } ?? false)
        // A link that the user did not name is not followed.
        if existing != nil, options.skipsExisting, !isOwnInput || isLink && root != nil { return nil }
        if isLink, root != nil { throw .isLink(path) }
        let status = isLink ? FileStatus(path) : existing
        var replacement = Replacement(overwrites: options.overwrites, except: request.inputs)
        if !options.overwrites, let status, request.owns(path) {
            replacement = FileState(status).map { .only($0, except: request.inputs) } ?? .nothing
        }
        // A dangling link has a name, but no file.
        if let refusal = replacement.refusal(of: path, status ?? existing) { throw refusal }
        return ClaimedFile(
            OutputPlace(path, below: root, makesDirectories: makesDirectories, replacing: replacement), for: request)
    }

    /// Claims a pipe or a device that the user named.
    static func stream(_ path: FilePath, for request: OutputRequest) -> ClaimedFile {
        ClaimedFile(OutputPlace(path, replacing: .nothing), for: request)
    }

    /// Claims the path of the input, which must not change until it is replaced.
    ///
    /// - Parameter root: the folder that was walked to find the input; `nil` for a file that the user named.
    /// - Throws: `outsideFolder`, `isLink`; `cannotWrite` unless the input is a regular file.
    static func input(
        _ path: FilePath, below root: FilePath?, for request: OutputRequest
    ) throws(TexelError) -> ClaimedFile {
        if let root, path.relative(to: root) == nil { throw .outsideFolder(path, root) }
        let existing = FileStatus(path, followsLinks: false)
        let isLink = existing?.isLink ?? false
        if isLink, root != nil { throw .isLink(path) }
        var replacement = Replacement.nothing
        // A missing input is reported when it is read.
        if let status = isLink ? FileStatus(path) : existing {
            guard let state = FileState(status) else { throw .cannotWrite(path, .notSupported) }
            replacement = .only(state)
        }
        return ClaimedFile(
            OutputPlace(path, below: root, makesDirectories: false, replacing: replacement), for: request,
            replacing: path)
    }

    func commit(
        _ image: EncodedImage, stop: StopToken, willAppear: () -> Void
    ) throws(TexelError) -> EncodedImage {
        var image = image
        if let replacedInput {
            // In place, a result is kept only if the file already has the same bytes. It is not touched then.
            image.isKept = replacedInput.holds(image.content)
            if image.isKept {
                Leftovers.remove(beside: replacedInput)
                return image
            }
        }
        let lost = try AtomicFile.write(
            image.content, at: target, times: times, stop: stop, willAppear: willAppear)
        if !lost.isEmpty {
            image.warnings.append("could not be kept on the new file: \(lost.joined(separator: ", "))")
        }
        return image
    }
}
