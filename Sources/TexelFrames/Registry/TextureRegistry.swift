import TexelCodecs
import Synchronization

/// Textures by their numbers, between many producers and many consumers: what an embedder of Flutter calls a texture
/// registrar.
///
/// A producer registers a ``Texture``, most simply a ``LatestFrameTexture``, and announces each new frame. Consumers
/// ask for a hold of the latest by the number, which may long be unregistered: then they get `nil`. Nothing
/// here takes a lock or allocates, but to give a place of the registry to a texture and to get it back.
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
    private let alarms = FrameAlarms()
    private let onFrameAvailable: (@Sendable (TextureID) -> Void)?

    /// The number of a place in the lower bits of a name, its generation in the upper ones.
    private static let indexBits: Int64 = 30

    /// - Parameter onFrameAvailable: called for each frame that is announced, by the thread that announces it: the
    ///   place to mark a texture for drawing. It must not wait.
    public init(onFrameAvailable: (@Sendable (TextureID) -> Void)? = nil) {
        self.onFrameAvailable = onFrameAvailable
        vacant = Monitor(places.registrations.reversed())
    }

    /// Unregisters what is still registered. Nobody can be in the middle of anything here.
    deinit {
        var index = 0
        while let place = places.registration(index) {
            if place.texture != nil { place.letGo()?.textureUnregistered() }
            index += 1
        }
    }

    /// How many textures are registered, or unregistered and still in use.
    public var count: Int { vacant.withLock { places.totalCount - $0.count } }

    /// How many textures there have been at a time, at most, rounded up.
    var capacity: Int { places.totalCount }

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

    /// Says that the texture has a new frame.
    ///
    /// - Returns: Whether the texture is registered.
    @discardableResult
    public func textureFrameAvailable(_ id: TextureID) -> Bool {
        guard let place = hold(id) else { return false }
        // In one order with what `waitForFrame` does: it sees the frame or is seen waiting.
        place.frameCount.add(1, ordering: .sequentiallyConsistent)
        wakeWaiting(place)
        onFrameAvailable?(id)
        letGo(place)
        return true
    }

    /// A hold of the texture's latest complete frame; `nil` where it has none or is not registered.
    public func copyPixelBuffer(_ id: TextureID) -> Frame? {
        guard let place = hold(id) else { return nil }
        let frame = place.texture?.copyPixelBuffer()
        letGo(place)
        return frame
    }

    /// How many frames of the texture were announced; `nil` where it is not registered.
    public func frameCount(_ id: TextureID) -> Int? {
        guard let place = hold(id) else { return nil }
        defer { letGo(place) }
        return place.frameCount.load(ordering: .acquiring)
    }

    /// Waits until more frames of the texture were announced than `count`, which is what the last call gave.
    ///
    /// It costs no processor time, unless 64 threads wait already: the others look every millisecond.
    /// - Returns: How many there were; `nil` once the texture is unregistered, `stop` says so, or the time is over.
    public func waitForFrame(
        _ id: TextureID, after count: Int = 0, atMost duration: Duration? = nil, stop: FrameStop? = nil
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
            (alarm.map { alarms[$0] } ?? FrameAlarm.none).sleep(
                orUntil: descriptor, atMost: isBlind ? 1 : rest.map(Self.milliseconds) ?? -1)
        }
    }

    /// Forgets the texture. Does not wait for copies that are running: the last of them to end, or this call when there
    /// are none, tells the texture.
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

    /// Rounded up, so that whoever waits does not come back before the time.
    private static func milliseconds(_ duration: Duration) -> CInt {
        CInt(min(duration, .seconds(3600)) / .milliseconds(1)) + 1
    }
}

extension Registration {
    /// How many frames were announced, if more than `count`.
    fileprivate func frames(after count: Int) -> Int? {
        let found = frameCount.load(ordering: .sequentiallyConsistent)
        return found > count ? found : nil
    }
}
