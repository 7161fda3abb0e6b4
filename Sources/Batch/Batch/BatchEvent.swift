public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline

/// An item of a batch, which has one result. An input has several items only if there are several recipes.
public struct BatchItem: Sendable, Hashable {
    /// The index among the batch's results, from 0; the same file may have several.
    public var index: Int
    /// The path of the input.
    public var input: FilePath
    /// The name of the input for people: its path or its address.
    public var name: String

    /// Makes an item; its name is the path by default.
    public init(index: Int, input: FilePath, name: String? = nil) {
        self.index = index
        self.input = input
        self.name = name ?? input.string
    }
}

/// An event of a batch.
///
/// `queued` comes first with all items, and `ended` comes last. Between them, each item has exactly one ending:
/// `finished`, `failed` or `cancelled`. Before it come the item's `started` and then its `progress`, which never
/// decreases; an item that is cancelled early never starts. Items run concurrently, so their events are interleaved,
/// and endings come in the order of completion.
///
/// Every listener receives `queued`, all endings and `ended`, even if it is slow or added late. `started` and
/// `progress` are transient: a slow listener receives only the newest ones.
public enum BatchEvent: Sendable {
    /// All items of the batch.
    case queued([BatchItem])
    /// The work on the item has started.
    case started(BatchItem)
    /// Sent a few times per second, and once when all rows are done.
    case progress(BatchItem, RowProgress)
    /// The result was written, kept, skipped or planned.
    case finished(BatchItem, FileResult)
    /// The result has an error.
    case failed(BatchItem, FileResult)
    /// The batch was stopped before the item was done.
    case cancelled(BatchItem, FileResult)
    /// The batch has ended.
    case ended(BatchSummary)

    /// The item of the event; `nil` for `queued` and `ended`.
    public var item: BatchItem? {
        switch self {
        case .started(let item), .progress(let item, _), .finished(let item, _), .failed(let item, _),
            .cancelled(let item, _):
            item
        case .queued, .ended: nil
        }
    }

    /// The item and its result, if this event is an ending.
    public var ending: (item: BatchItem, result: FileResult)? {
        switch self {
        case .finished(let item, let result), .failed(let item, let result), .cancelled(let item, let result):
            (item, result)
        case .queued, .started, .progress, .ended: nil
        }
    }

    /// Whether every listener receives the event.
    var isKept: Bool {
        switch self {
        case .started, .progress: false
        case .queued, .finished, .failed, .cancelled, .ended: true
        }
    }

    /// Makes the ending for a result.
    init(_ item: BatchItem, _ result: FileResult) {
        self =
            if result.isCancelled {
                .cancelled(item, result)
            } else if result.error != nil {
                .failed(item, result)
            } else {
                .finished(item, result)
            }
    }
}

/// Counts of a batch, so far or at its end.
public struct BatchSummary: Sendable, Hashable {
    /// Results that were written or kept.
    public private(set) var writtenCount = 0
    /// Results that were skipped because the output exists.
    public private(set) var skippedCount = 0
    /// Results of an earlier batch that this one resumes. They have no items.
    public let resumedCount: Int
    /// Files in the searched directories that are not images that Texel reads. They have no items.
    public let otherFileCount: Int
    /// Results of a dry run.
    public private(set) var plannedCount = 0
    /// Results that failed.
    public private(set) var failedCount = 0
    /// Results that were cancelled.
    public private(set) var cancelledCount = 0
    /// The bytes of the inputs whose results were written or kept; an input with several results counts once.
    public private(set) var inputBytes = 0
    /// The bytes of the results that were written or kept.
    public private(set) var outputBytes = 0
    /// The duration of the batch; zero until it has ended.
    public internal(set) var duration = Duration.zero

    /// What the store could not write besides results, or why none of them were written.
    public internal(set) var storeErrors: [TexelError] = []

    /// Makes a summary without results.
    public init(resumedCount: Int = 0, otherFileCount: Int = 0) {
        self.resumedCount = resumedCount
        self.otherFileCount = otherFileCount
    }

    /// The number of items that have ended without being cancelled.
    public var doneCount: Int { writtenCount + skippedCount + plannedCount + failedCount }

    /// Adds a result to the counts.
    public mutating func add(_ result: FileResult) {
        switch result.status {
        case .written, .kept:
            writtenCount += 1
            inputBytes += result.sharesInput ? 0 : result.inputBytes
            outputBytes += result.outputBytes
        case .skipped: skippedCount += 1
        case .planned: plannedCount += 1
        case .failed where result.isCancelled: cancelledCount += 1
        case .failed: failedCount += 1
        }
    }
}

extension FileResult {
    /// Whether the batch was stopped before the file was done, which is not an error of the file.
    public var isCancelled: Bool { error == .stopped(.cancelled) }
}
