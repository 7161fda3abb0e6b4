import Synchronization
public import TexelCore
public import TexelPixels

/// A place that shows one image at a time, such as a cell of a table. Showing another image cancels the request
/// before it; an image of an earlier request never arrives after that.
///
///     let slot = ImageSlot(pipeline)
///     slot.show(ImageRequest("photo.jpg", recipe: Recipe().resizing(width: 320)))
///     for await content in slot.contents { … }
public final class ImageSlot: Sendable {
    /// The content of a slot.
    public enum Content: Sendable {
        /// No image was requested.
        case empty
        /// An image was requested, and nothing has arrived yet.
        case loading
        /// A preview to show until the final image arrives.
        case preview(PixelBuffer)
        /// The final image.
        case image(PixelBuffer)
        /// The request failed.
        case failed(TexelError)
    }

    private struct State {
        var generation = 0
        var task: ImageTask<PixelBuffer>?
        var follower: Task<Void, Never>?
        var content = Content.empty
        var listeners: [Int: Listener] = [:]
        var lastListener = 0
    }

    private struct Listener {
        var hasSeenContent = false
        /// Resumed when there is new content, or when the slot is released.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let pipeline: ImagePipeline
    private let state = Mutex(State())

    /// Makes an empty slot whose images come from `pipeline`.
    public init(_ pipeline: ImagePipeline = .shared) { self.pipeline = pipeline }

    deinit {
        let (follower, listeners) = state.withLock { ($0.follower, $0.listeners.values.compactMap(\.waiter)) }
        follower?.cancel()
        for waiter in listeners { waiter.resume() }
    }

    /// The current content.
    public var content: Content { state.withLock { $0.content } }

    /// Shows another image, or nothing if `request` is `nil`. The request before it is cancelled, and its work stops
    /// unless other tasks share it.
    public func show(_ request: ImageRequest?) {
        let task = request.map { pipeline.imageTask(for: $0) }
        let (old, generation) = state.withLock { state in
            defer { state.task = task }
            state.generation += 1
            return ((state.task, state.follower), state.generation)
        }
        old.0?.cancel()
        old.1?.cancel()
        set(task == nil ? .empty : .loading, generation)
        guard let task else { return }
        let follower = Task { [weak self] in
            for await event in task.events {
                switch event {
                case .progress: break
                case .preview(let image): self?.set(.preview(image), generation)
                case .finished(.success(let image)): self?.set(.image(image), generation)
                case .finished(.failure(let error)): self?.set(.failed(error), generation)
                }
            }
        }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.follower = follower
            return true
        }
        if !isCurrent { follower.cancel() }
    }

    /// Shows an image and waits until it is complete.
    ///
    /// - Returns: the image; `nil` if another one was requested meanwhile. If all calls come from one actor, a
    ///   returned image is always the one requested last.
    /// - Throws: `TexelError`.
    public func image(
        for request: ImageRequest, isolation: isolated (any Actor)? = #isolation
    ) async throws(TexelError) -> PixelBuffer? {
        show(request)
        let (task, generation) = state.withLock { ($0.task, $0.generation) }
        guard let task else { return nil }
        do throws(TexelError) {
            let image = try await task.value
            return state.withLock { $0.generation } == generation ? image : nil
        } catch {
            if state.withLock({ $0.generation }) != generation { return nil }
            throw error
        }
    }

    private func set(_ content: Content, _ generation: Int) {
        let waiters = state.withLock { state in
            guard state.generation == generation else { return [CheckedContinuation<Void, Never>]() }
            state.content = content
            return state.listeners.keys.compactMap { number in
                state.listeners[number]?.hasSeenContent = false
                return state.listeners[number]?.waiter.take()
            }
        }
        for waiter in waiters { waiter.resume() }
    }
}

// MARK: Contents

extension ImageSlot {
    /// The contents from now on, starting with the current one. A slow reader receives only the newest content. The
    /// sequence does not retain the slot, and ends when the slot is released.
    public var contents: Contents {
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = Listener()
            return state.lastListener
        }
        return Contents(place: Contents.Place(self, number))
    }

    /// A slot's contents: a sequence for one task.
    public struct Contents: AsyncSequence, AsyncIteratorProtocol, Sendable {
        public typealias Failure = Never
        fileprivate let place: Place

        public func makeAsyncIterator() -> Contents { self }
        public func next() async -> Content? { await place.next(isolation: nil) }
        public func next(isolation actor: isolated (any Actor)?) async -> Content? {
            await place.next(isolation: actor)
        }

        /// A listener's registration with the slot; removed on deinitialisation.
        fileprivate final class Place: Sendable {
            private weak let slot: ImageSlot?
            private let number: Int

            init(_ slot: ImageSlot, _ number: Int) {
                self.slot = slot
                self.number = number
            }

            deinit { slot?.removeListener(number) }

            /// Checks again after each wait, because the content may have been taken or replaced meanwhile.
            func next(isolation actor: isolated (any Actor)?) async -> Content? {
                while !Task.isCancelled {
                    switch slot?.take(number) {
                    case .content(let content): return content
                    case nil, .end: return nil
                    case .nothingYet: await wait(isolation: actor)
                    }
                }
                slot?.removeListener(number)
                return nil
            }

            private func wait(isolation actor: isolated (any Actor)?) async {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        guard let slot else { return continuation.resume() }
                        slot.wait(number, continuation)
                    }
                } onCancel: {
                    slot?.removeListener(number)
                }
            }
        }
    }

    private enum Answer {
        case content(Content)
        case nothingYet
        case end
    }

    private func take(_ number: Int) -> Answer {
        state.withLock { state in
            guard let listener = state.listeners[number] else { return .end }
            if listener.hasSeenContent { return .nothingYet }
            state.listeners[number]?.hasSeenContent = true
            return .content(state.content)
        }
    }

    private func wait(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        let hasNews = state.withLock { state in
            guard let listener = state.listeners[number], listener.hasSeenContent else { return true }
            state.listeners[number]?.waiter = continuation
            return false
        }
        if hasNews { continuation.resume() }
    }

    private func removeListener(_ number: Int) {
        let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
        listener?.waiter?.resume()
    }
}
