// Whoever imports TexelStreams has the whole of swift-async-algorithms: `debounce`, `merge`, `removeDuplicates`,
// `AsyncChannel` and the rest come from there.
@_exported public import AsyncAlgorithms
