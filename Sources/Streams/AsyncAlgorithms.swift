// Re-exports swift-async-algorithms, which provides `debounce`, `merge`, `removeDuplicates`, `AsyncChannel` and more.
@_exported public import AsyncAlgorithms
