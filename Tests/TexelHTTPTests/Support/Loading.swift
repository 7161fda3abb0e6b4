#if HTTP
    import PlatformLibc
    import Synchronization
    import Testing
    import TexelCodecs

    import TexelCore
    @testable import TexelHTTP
    @testable import TexelPipeline

    extension HTTPLoader {
        /// Creates a loader with the test's clock and long timeouts.
        convenience init(_ time: TestTime, _ configure: (inout HTTPConfiguration) -> Void = { _ in }) {
            var configuration = HTTPConfiguration()
            configuration.time = time.transferTime
            configuration.idleTimeout = .seconds(3600)
            configuration.totalTimeout = .seconds(36_000)
            configure(&configuration)
            self.init(configuration)
        }

        /// Loads all bytes at an address.
        func bytes(
            at address: String, limits: Limits = Limits(), arrival: Arrival = Arrival()
        ) async throws(TexelError) -> [UInt8] {
            try await source(for: address).open(limits: limits).bytes(limit: limits.inputBytes, arrival: arrival)
        }

        /// The error of loading an address; `nil` if it succeeds.
        func error(
            at address: String, limits: Limits = Limits(), arrival: Arrival = Arrival()
        ) async -> TexelError? {
            do throws(TexelError) {
                _ = try await bytes(at: address, limits: limits, arrival: arrival)
                return nil
            } catch {
                return error
            }
        }
    }

    extension OpenedBytes {
        func bytes(limit: Int = 1 << 30, arrival: Arrival = Arrival()) async throws(TexelError) -> [UInt8] {
            let arriving = try ArrivingBytes(expectedCount: count, limit: limit)
            arrival.begin(arriving)
            defer { arrival.end() }
            switch content {
            case .small(let bytes, _): return Array(bytes)
            case .read(let read): return Array(try read().bytes)
            case .arriving(let deliver): try await deliver(arriving)
            }
            return Array(InputBytes(arriving))
        }
    }

    /// Tells a server how many bytes have arrived: when a connection breaks, the client discards bytes that were
    /// received but not read.
    final class Arrival: Sendable {
        private let state = Mutex<(bytes: ArrivingBytes?, isOver: Bool)>((nil, false))

        fileprivate func begin(_ bytes: ArrivingBytes) { state.withLock { $0.bytes = bytes } }
        fileprivate func end() { state.withLock { $0.isOver = true } }

        /// Blocks a server's thread until the response has started and `count` of its bytes have arrived.
        func wait(for count: Int) {
            while state.withLock({ !$0.isOver && ($0.bytes?.count ?? -1) < count }) { sched_yield() }
        }
    }

    /// Bytes without a pattern that could hide a wrong order.
    func someBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
    }
#endif
