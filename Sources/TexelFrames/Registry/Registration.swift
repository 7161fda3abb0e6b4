import Synchronization

/// One place of a registry: a texture, and how many are about to use it.
///
/// Unchecked because of the texture: it is written while nobody holds the place.
final class Registration: @unchecked Sendable {
    let index: Int
    private(set) var texture: (any Texture)?
    /// The generation in the upper half; whether the texture is registered; the number of holds.
    private let state = Atomic<UInt64>(0)
    /// How many frames of the texture were announced.
    let frameCount = Atomic(0)
    /// A bit for each of the registry's alarms that somebody waits by for a frame of this texture.
    let waiting = Atomic<UInt64>(0)

    private static let registered: UInt64 = 1 << 31
    private static let holds: UInt64 = registered - 1

    init(index: Int) { self.index = index }

    /// Takes a texture in, with one hold: the registry's. Only for a place that is vacant.
    ///
    /// - Returns: The generation. A place has had four thousand million textures when one comes again.
    func begin(_ texture: any Texture) -> UInt64 {
        let generation = max(1, (state.load(ordering: .relaxed) >> 32 + 1) & UInt64(UInt32.max))
        self.texture = texture
        frameCount.store(0, ordering: .relaxed)
        state.store(generation << 32 | Self.registered | 1, ordering: .releasing)
        return generation
    }

    /// Holds the texture, unless it has been unregistered.
    func hold(_ generation: UInt64) -> Bool {
        var seen = state.load(ordering: .relaxed)
        while seen >> 32 == generation, seen & Self.registered != 0 {
            let result = state.weakCompareExchange(
                expected: seen, desired: seen + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
            if result.exchanged { return true }
            seen = result.original
        }
        return false
    }

    /// Nobody can hold the texture from now on, but those who do.
    ///
    /// - Returns: Whether it was registered; the caller then has the registry's hold to let go.
    func end(_ generation: UInt64) -> Bool {
        var seen = state.load(ordering: .relaxed)
        while seen >> 32 == generation, seen & Self.registered != 0 {
            let result = state.compareExchange(
                expected: seen, desired: seen & ~Self.registered, successOrdering: .sequentiallyConsistent,
                failureOrdering: .relaxed)
            if result.exchanged { return true }
            seen = result.original
        }
        return false
    }

    /// Asked by those who hold it.
    var isRegistered: Bool { state.load(ordering: .sequentiallyConsistent) & Self.registered != 0 }

    /// Lets go. The last to do so gets the texture, and the place is vacant.
    func letGo() -> (any Texture)? {
        let seen = state.subtract(1, ordering: .acquiringAndReleasing).newValue
        return seen & Self.holds == 0 ? texture.take() : nil
    }
}

/// The places of a registry: found without a lock, added and never removed, each chunk twice as large as the one before.
final class RegistrationChunk: Sendable {
    let registrations: [Registration]
    private let next = AtomicLazyReference<RegistrationChunk>()

    init(startIndex: Int, count: Int) {
        registrations = (startIndex..<startIndex + count).map { Registration(index: $0) }
    }

    /// The place of this number, counted from this chunk on.
    func registration(_ number: Int) -> Registration? {
        if number < registrations.count { return number < 0 ? nil : registrations[number] }
        return next.load()?.registration(number - registrations.count)
    }

    /// The places of this chunk and all that follow.
    var totalCount: Int { registrations.count + (next.load()?.totalCount ?? 0) }

    /// Adds a chunk after the last. By one thread at a time.
    func grow() -> [Registration] {
        if let next = next.load() { return next.grow() }
        let start = (registrations.last?.index ?? -1) + 1
        let chunk = RegistrationChunk(startIndex: start, count: registrations.count * 2)
        return next.storeIfNil(chunk).registrations
    }
}
