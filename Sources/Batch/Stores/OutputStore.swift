public import SystemPackage
import TexelCodecs
public import TexelCore
public import TexelPipeline

/// Where the results of one call are written: a directory, the directories of the inputs, the inputs themselves, a
/// file, standard output, or an archive.
///
/// A store names the results of all inputs before anything is decoded. When the name of a result is known, the store
/// claims it, and gives something unfinished that takes the complete result. The work that makes results knows nothing
/// else about a store: its properties say what it can do. By default, names form a tree like that of the inputs.
public protocol OutputStore: Sendable {
    /// The directory that contains all results, possibly in subdirectories: a batch can record its results in it, and
    /// resume. `nil` if there is none.
    var directory: FilePath? { get }
    /// The files and directories that the store writes, which are not found as inputs.
    var ownPaths: [FilePath] { get }
    /// The relative path of a directory that the store writes in many directories, which is not searched for inputs;
    /// `nil` if there is none.
    var ownDirectoryName: FilePath? { get }
    /// A name whose extension determines the format of all results; `nil` if the names follow the format.
    var promisedName: FilePath? { get }
    /// Whether each result takes the place of its input: it keeps the input's format and all that the input holds.
    var replacesInputs: Bool { get }
    /// Whether results have names of their own in the directories of their inputs.
    var writesBesideInputs: Bool { get }
    /// Whether all results are written to standard output, which takes one.
    var isStandardOutput: Bool { get }
    /// Whether results of one input with different widths have different names.
    var tellsWidths: Bool { get }
    /// A text that is different for stores that give other names to the same results in the same directory; `nil` for
    /// names that follow from the directory.
    var namesKey: String? { get }

    /// Names the results of inputs. May block, because a name may depend on the first bytes of an input.
    ///
    /// - Returns: a name for each input, in the same order.
    func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName]

    /// Whether a name is for one result only, as that of a file is, and that of a pipe is not.
    func isExclusive(_ name: FilePath) -> Bool

    /// Claims a name for a result.
    ///
    /// - Returns: the unfinished result; `nil` if it exists and is to be skipped.
    /// - Throws: the reason why the result must not be written.
    func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)?

    /// Prepares for the results of a batch, before the first claim; not called for a dry run. The default does nothing.
    ///
    /// - Parameters:
    ///   - items: the inputs, in their order.
    ///   - options: how the batch processes files, such as whether an existing output is replaced.
    ///   - stop: ends the batch early.
    /// - Throws: the reason why no result can be written.
    func begin(_ items: [InputItem], options: ProcessingOptions, stop: StopToken) async throws(TexelError)

    /// Waits until the work for an input may begin, so that results do not accumulate in a store that writes them in
    /// order. The default does not wait.
    ///
    /// - Parameter index: that of the input.
    func waitForRoom(forItemAt index: Int) async

    /// Says that all results of an input have been committed, or never will be. The default does nothing.
    func end(itemAt index: Int)

    /// Ends what ``begin(_:options:stop:)`` began, after all inputs. The default does nothing.
    ///
    /// - Returns: what could not be written.
    func finish() async -> [TexelError]
}

extension OutputStore {
    public var directory: FilePath? { nil }
    public var ownPaths: [FilePath] { directory.map { [$0] } ?? [] }
    public var ownDirectoryName: FilePath? { nil }
    public var promisedName: FilePath? { nil }
    public var replacesInputs: Bool { false }
    public var writesBesideInputs: Bool { false }
    public var isStandardOutput: Bool { false }
    public var tellsWidths: Bool { true }
    public var namesKey: String? { nil }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] { naming.mirrored(items) }
    public func isExclusive(_ name: FilePath) -> Bool { true }

    public func begin(_ items: [InputItem], options: ProcessingOptions, stop: StopToken) async throws(TexelError) {}
    public func waitForRoom(forItemAt index: Int) async {}
    public func end(itemAt index: Int) {}
    public func finish() async -> [TexelError] { [] }
}

/// The request for a name in an ``OutputStore``, on behalf of one result.
public struct OutputRequest: Sendable {
    /// The input of the result.
    public let item: InputItem
    /// Whether an existing result is replaced or skipped, and whether the result gets the times of its input.
    public let options: ProcessingOptions
    /// All files that the call reads; they are never replaced by the result of another.
    let inputs: Set<FileStatus.Identity>
    /// Whether an earlier call wrote a file for the same input, so that it may be replaced.
    let owns: @Sendable (FilePath) -> Bool
}

/// A claimed name whose result is not written yet. If it is released without a commit, there is no trace of it.
public protocol UnfinishedOutput: Sendable {
    /// Where a result that is too large for memory is written while it is made; `nil` to pass all results in memory.
    var place: OutputPlace? { get }

    /// Writes the complete result, which appears at once or not at all; blocks the calling thread. Called at most once.
    ///
    /// - Parameters:
    ///   - image: the result.
    ///   - stop: ends the wait for a reader.
    ///   - willAppear: called after all bytes are written and before the result gets its name.
    /// - Returns: the image, with warnings about the writing; `isKept` is set if it was there already.
    /// - Throws: the reason why it was not written; `cannotWrite` after a stop.
    func commit(_ image: EncodedImage, stop: StopToken, willAppear: () -> Void) throws(TexelError) -> EncodedImage
}

extension UnfinishedOutput {
    public var place: OutputPlace? { nil }
}
