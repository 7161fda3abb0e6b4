import Synchronization
import TexelCodecs
public import TexelCore
import TexelPixels

/// Registers textures by number, for many producers and many consumers; the equivalent of Flutter's texture registrar.
///
/// A producer registers a ``Texture``, usually a ``LatestFrameTexture``, and announces each new frame. Consumers get a
/// shared hold of the latest frame by the texture's identifier, or `nil` if it has been unregistered. Apart from
/// registering a texture and releasing its slot, nothing takes a lock or allocates.
///
///     let texture = LatestFrameTexture()
///     let id = registry.register(texture)
///     texture.publish(frame)
///     registry.textureFrameAvailable(id)
///     // elsewhere
///     let frame = registry.copyPixelBuffer(id)
public final class TextureRegistry: Sendable {
    private let places = RegistrationChunk(startIndex: 0, count: 64)
    private let vacant: Monitor<[Registration]>
    private let alarms = WakeupPipes()
    private let onFrameAvailable: (@Sendable (TextureID) -> Void)?

    /// The lower bits of an identifier hold the index of its slot, the upper ones the slot's generation.
    private static let indexBits: Int64 = 30

    /// Creates an empty registry.
    ///
    /// - Parameter onFrameAvailable: Called for each announced frame, on the announcing thread, for example to mark a
    ///   texture for redrawing. It must not block.
    public init(onFrameAvailable: (@Sendable (TextureID) -> Void)? = nil) {
        self.onFrameAvailable = onFrameAvailable
        vacant = Monitor(places.registrations.reversed())
    }

    /// Unregisters the remaining textures. No call can be running: each keeps the registry alive.
    deinit {
        var index = 0
        while let place = places.registration(index) {
            if place.texture != nil { place.letGo()?.textureUnregistered() }
            index += 1
        }
    }

    /// The number of textures that are registered, or unregistered and still in use.
    public var count: Int { vacant.withLock { places.totalCount - $0.count } }

    /// The number of slots allocated so far; at least the largest ``count`` ever reached.
    var capacity: Int { places.totalCount }

    /// Registers a texture and returns its identifier.
    public func register(_ texture: some Texture) -> TextureID {
        let place = vacant.withLock { vacant -> Registration in
            while true {
                if let place = vacant.popLast() { return place }
                vacant.append(contentsOf: places.grow().reversed())
            }
        }
        let generation = place.begin(texture)
        return TextureID(rawValue: Int64(generation) << Self.indexBits | Int64(place.index))
    }

    /// Announces a new frame of the texture: wakes waiting threads and calls `onFrameAvailable`.
    ///
    /// - Returns: Whether the texture is registered.
    @discardableResult
    public func textureFrameAvailable(_ id: TextureID) -> Bool {
        guard let place = hold(id) else { return false }
        // Sequentially consistent, as in `waitForFrame`: either the waiter sees this frame, or `wakeWaiting` sees the
        // waiter.
        place.frameCount.add(1, ordering: .sequentiallyConsistent)
        wakeWaiting(place)
        onFrameAvailable?(id)
        letGo(place)
        return true
    }

    /// Returns a shared hold of the texture's latest frame; `nil` if it has none or is not registered.
    public func copyPixelBuffer(_ id: TextureID) -> Frame? {
        guard let place = hold(id) else { return nil }
        let frame = place.texture?.copyPixelBuffer()
        letGo(place)
        return frame
    }

    /// The number of frames announced for the texture; `nil` if it is not registered.
    public func frameCount(_ id: TextureID) -> Int? {
        guard let place = hold(id) else { return nil }
        defer { letGo(place) }
        return place.frameCount.load(ordering: .acquiring)
    }

    /// Blocks until more than `count` frames of the texture have been announced.
    ///
    /// Waiting takes no processor time for up to 64 threads at once; further threads poll every millisecond.
    ///
    /// - Parameters:
    ///   - id: The texture.
    ///   - count: What the previous call returned; 0 at first.
    ///   - duration: The longest time to wait; `nil` for no limit.
    ///   - stop: Ends the wait early.
    /// - Returns: The number of announced frames; `nil` if the texture is not registered, the wait was stopped, or the
    ///   time is over.
    public func waitForFrame(
        _ id: TextureID, after count: Int = 0, atMost duration: Duration? = nil, stop: StopToken? = nil
    ) -> Int? {
        guard let place = hold(id) else { return nil }
        defer { letGo(place) }
        if let found = place.frames(after: count) { return found }
        let deadline = duration.map { ContinuousClock.now + $0 }
        let alarm = alarms.take()
        let bit = alarm.map { UInt64(1) << UInt64($0) } ?? 0
        defer {
            place.waiting.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
            if let alarm { alarms.giveBack(alarm) }
        }
        while true {
            place.waiting.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            guard place.isRegistered else { return nil }
            if let found = place.frames(after: count) { return found }
            if stop?.isStopped == true { return nil }
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return nil }
            let descriptor = stop?.descriptor ?? -1
            let isBlind = alarm == nil || (stop != nil && descriptor < 0)
            let limit = isBlind ? 1 : rest.map(Self.milliseconds) ?? -1
            (alarm.map { alarms[$0] } ?? WakeupPipe.none).sleep(
                orUntil: descriptor,
                atMost: stop?.pollTimeout(watching: descriptor, atMost: limit) ?? limit)
        }
    }

    /// Unregisters the texture without waiting for running calls. The texture is notified by the last of them to end,
    /// or by this call if there are none.
    ///
    /// - Returns: Whether the texture was registered.
    @discardableResult
    public func unregister(_ id: TextureID) -> Bool {
        guard let (place, generation) = place(id), place.end(generation) else { return false }
        wakeWaiting(place)
        letGo(place)
        return true
    }

    private func place(_ id: TextureID) -> (Registration, generation: UInt64)? {
        guard id.rawValue > 0,
            let place = places.registration(Int(id.rawValue & (1 << Self.indexBits - 1)))
        else { return nil }
        return (place, UInt64(id.rawValue >> Self.indexBits))
    }

    private func hold(_ id: TextureID) -> Registration? {
        guard let (place, generation) = place(id), place.hold(generation) else { return nil }
        return place
    }

    private func letGo(_ place: Registration) {
        guard let texture = place.letGo() else { return }
        vacant.withLock { $0.append(place) }
        texture.textureUnregistered()
    }

    private func wakeWaiting(_ place: Registration) {
        guard place.waiting.load(ordering: .sequentiallyConsistent) != 0 else { return }
        alarms.ring(place.waiting.exchange(0, ordering: .sequentiallyConsistent))
    }

    /// Rounded up, so that a wait does not end before its deadline.
    private static func milliseconds(_ duration: Duration) -> CInt {
        CInt(min(duration, .seconds(3600)) / .milliseconds(1)) + 1
    }
}

extension Registration {
    /// The number of announced frames if it is larger than `count`, else `nil`.
    fileprivate func frames(after count: Int) -> Int? {
        let found = frameCount.load(ordering: .sequentiallyConsistent)
        return found > count ? found : nil
    }
}
