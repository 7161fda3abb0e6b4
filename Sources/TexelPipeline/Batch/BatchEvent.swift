public import SystemPackage
public import TexelCodecs

/// One result of a batch: usually a file's only one.
public struct BatchItem: Sendable, Hashable {
    /// Its place among the inputs, from 0; the same file may be there twice.
    public var index: Int
    public var input: FilePath
    /// What people call the input: its path, its address.
    public var name: String

    public init(index: Int, input: FilePath, name: String? = nil) {
        self.index = index
        self.input = input
        self.name = name ?? input.string
    }
}

/// What happens in a batch.
///
/// `queued` comes first and names all items, `ended` comes last. Between them, each item has exactly one ending:
/// `finished`, `failed` or `cancelled`. Its `started` and then its `progress`, which never goes back, stand before it;
/// an item that is cancelled in time never starts. Items go on side by side: their events
/// mix, and endings come in the order of what is done first.
///
/// Every listener gets `queued`, all endings and `ended`, whenever it comes and however slow it is. `started` and
/// `progress` pass: who is slow gets the newest of them.
public enum BatchEvent: Sendable {
    case queued([BatchItem])
    case started(BatchItem)
    /// Some times a second, and once when all rows are done.
    case progress(BatchItem, RowProgress)
    /// Written, kept, skipped or planned.
    case finished(BatchItem, FileResult)
    /// The result has its error.
    case failed(BatchItem, FileResult)
    /// The batch was stopped before the item was done.
    case cancelled(BatchItem, FileResult)
    case ended(BatchSummary)

    /// The item that it happens to.
    public var item: BatchItem? {
        switch self {
        case .started(let item), .progress(let item, _), .finished(let item, _), .failed(let item, _),
            .cancelled(let item, _):
            item
        case .queued, .ended: nil
        }
    }

    /// What became of an item, when that is it.
    public var ending: (item: BatchItem, result: FileResult)? {
        switch self {
        case .finished(let item, let result), .failed(let item, let result), .cancelled(let item, let result):
            (item, result)
        case .queued, .started, .progress, .ended: nil
        }
    }

    /// Whether every listener gets it.
    var isKept: Bool {
        switch self {
        case .started, .progress: false
        case .queued, .finished, .failed, .cancelled, .ended: true
        }
    }

    /// The event that a result is.
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

/// What a batch came to, or has come to so far.
public struct BatchSummary: Sendable, Hashable {
    /// Written or kept.
    public private(set) var writtenCount = 0
    public private(set) var skippedCount = 0
    /// Done by a former batch, which this one goes on with. They are no items of it.
    public let resumedCount: Int
    /// Files that were found beside the inputs and are not images that Texel reads. They are no items of the batch.
    public let otherFileCount: Int
    /// Of a dry run.
    public private(set) var plannedCount = 0
    public private(set) var failedCount = 0
    public private(set) var cancelledCount = 0
    /// Of the files that were written or kept; of an input with several results once.
    public private(set) var inputBytes = 0
    public private(set) var outputBytes = 0
    /// Known at the end.
    public internal(set) var duration = Duration.zero

    public init(resumedCount: Int = 0, otherFileCount: Int = 0) {
        self.resumedCount = resumedCount
        self.otherFileCount = otherFileCount
    }

    /// Items that were not cancelled.
    public var doneCount: Int { writtenCount + skippedCount + plannedCount + failedCount }

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
    /// Whether the batch was stopped before the file was done, which is no fault of the file.
    public var isCancelled: Bool { error == .codec(.stopped(.cancelled)) }
}
