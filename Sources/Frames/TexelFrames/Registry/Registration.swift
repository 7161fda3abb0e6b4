import Synchronization

/// One slot of a registry: a texture and the number of holds on it.
///
/// Unchecked because of `texture`: it is written only while no thread holds the slot.
final class Registration: @unchecked Sendable {
    let index: Int
    private(set) var texture: (any Texture)?
    /// Upper 32 bits: the generation. Bit 31: whether the texture is registered. Lower 31 bits: the number of holds.
    private let state = Atomic<UInt64>(0)
    /// How many frames of the texture were announced.
    let frameCount = Atomic(0)
    /// One bit for each of the registry's alarms; set while a thread waits with it for a frame of this texture.
    let waiting = Atomic<UInt64>(0)

    private static let registered: UInt64 = 1 << 31
    private static let holds: UInt64 = registered - 1

    init(index: Int) { self.index = index }

    /// Registers a texture in a vacant slot, with one hold that belongs to the registry.
    ///
    /// - Returns: The slot's new generation; generations repeat after 2³² − 1 registrations.
    func begin(_ texture: any Texture) -> UInt64 {
        let generation = max(1, (state.load(ordering: .relaxed) >> 32 + 1) & UInt64(UInt32.max))
        self.texture = texture
        frameCount.store(0, ordering: .relaxed)
        state.store(generation << 32 | Self.registered | 1, ordering: .releasing)
        return generation
    }

    /// Adds a hold; `false` if the texture of this generation has been unregistered.
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

    /// Marks the texture as unregistered: no more holds can be added, existing ones stay valid.
    ///
    /// - Returns: Whether it was registered. If so, the caller must release the registry's hold with ``letGo()``.
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

    /// Whether the texture is still registered. The caller must have a hold.
    var isRegistered: Bool { state.load(ordering: .sequentiallyConsistent) & Self.registered != 0 }

    /// Releases a hold. The last release empties the slot and returns the texture, to be notified by the caller.
    func letGo() -> (any Texture)? {
        let seen = state.subtract(1, ordering: .acquiringAndReleasing).newValue
        return seen & Self.holds == 0 ? texture.take() : nil
    }
}

/// The slots of a registry, as a list of chunks: found without a lock, never removed, each chunk twice the size of the
/// one before.
final class RegistrationChunk: Sendable {
    let registrations: [Registration]
    private let next = AtomicLazyReference<RegistrationChunk>()

    init(startIndex: Int, count: Int) {
        registrations = (startIndex..<startIndex + count).map { Registration(index: $0) }
    }

    /// The slot at this index, relative to the chunk's first; `nil` if there is none.
    func registration(_ number: Int) -> Registration? {
        if number < registrations.count { return number < 0 ? nil : registrations[number] }
        return next.load()?.registration(number - registrations.count)
    }

    /// The number of slots in this chunk and all chunks after it.
    var totalCount: Int { registrations.count + (next.load()?.totalCount ?? 0) }

    /// Appends a chunk to the end of the list and returns its slots. Only one thread may call it at a time.
    func grow() -> [Registration] {
        if let next = next.load() { return next.grow() }
        let start = (registrations.last?.index ?? -1) + 1
        let chunk = RegistrationChunk(startIndex: start, count: registrations.count * 2)
        return next.storeIfNil(chunk).registrations
    }
}
