import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

/// The runs that use the rows of one decoder. Runs may join until it starts, as long as there is memory for their
/// images.
final class DecodeGroup: Sendable {
    struct Viewer: Sendable {
        let route: any PixelRoute
        let stop: StopToken
        let rowCounter: RowCounter?
        /// Called with the decoded image, or with the error.
        let finish: @Sendable (consuming Result<DecodedImage, TexelError>) -> Void

        /// Makes a viewer for a route, and announces its rows.
        init(
            _ route: any PixelRoute, stop: StopToken, rowCounter: RowCounter?,
            finish: @escaping @Sendable (consuming Result<DecodedImage, TexelError>) -> Void
        ) {
            route.announceRows(to: rowCounter)
            (self.route, self.stop, self.rowCounter, self.finish) = (route, stop, rowCounter, finish)
        }

        /// Reports an error; if the run was stopped, the reason for that instead.
        func fail(_ error: TexelError) { finish(.failure(stop.reason.map { .stopped($0) } ?? error)) }

        /// Whether the run was stopped; if so, reports it.
        func hasStopped() -> Bool {
            guard let reason = stop.reason else { return false }
            finish(.failure(.stopped(reason)))
            return true
        }
    }

    private struct State {
        var viewers: [Viewer] = []
        /// The bytes of all their images.
        var imageBytes = 0
    }

    /// `nil` once the decoder has started.
    private let state: Mutex<State?>

    /// Makes a group with its first runs.
    init(_ viewers: [Viewer]) {
        state = Mutex(State(viewers: viewers, imageBytes: viewers.reduce(0) { $0 + $1.route.loadedBytes }))
    }

    /// How many runs there are; 0 once the decoder has started.
    var count: Int { state.withLock { $0?.viewers.count ?? 0 } }

    /// Adds runs. Returns `false` if the decoder has started, or if all images together would take more than
    /// `byteLimit`, because they are in memory at the same time.
    func admit(_ newcomers: [Viewer], byteLimit: Int) -> Bool {
        state.withLock { state in
            let bytes = newcomers.reduce(state?.imageBytes ?? 0) { $0 + $1.route.loadedBytes }
            guard state != nil, bytes <= byteLimit else { return false }
            state?.viewers += newcomers
            state?.imageBytes = bytes
            return true
        }
    }

    /// Bytes in memory while the decoder runs, without the input's own.
    var estimatedBytes: Int {
        state.withLock { state in
            let routes = (state?.viewers ?? []).filter { $0.stop.reason == nil }.map(\.route)
            // Each route includes the decoder's memory, so add only the images to the largest one.
            return (routes.map(\.estimatedBytes).max() ?? 0)
                + routes.map(\.loadedBytes).reduce(0, +) - (routes.map(\.loadedBytes).max() ?? 0)
        }
    }

    /// Closes the group to new runs. The caller must report a result to every returned run.
    private func close() -> [Viewer] {
        state.withLock { state in
            defer { state = nil }
            return state?.viewers ?? []
        }
    }

    /// Reports an error to all runs; the decoder does not start.
    func end(_ error: TexelError) {
        for viewer in close() { viewer.fail(error) }
    }

    /// Decodes, and passes each run its image. All runs need the same frame at the same scale.
    ///
    /// - Parameter context: its stop token and row counter are replaced by those of the runs.
    func decode(_ context: RouteContext) {
        let admitted = close().filter { !$0.hasStopped() }
        guard let first = admitted.first else { return }
        var context = context
        if admitted.count == 1 {
            (context.stop, context.rowCounter) = (first.stop, first.rowCounter)
            return first.finish(Result { [context] () throws(TexelError) in try first.route.loaded(context) })
        }
        context.stop = StopToken { admitted.allSatisfy { $0.stop.reason != nil } ? .cancelled : nil }
        context.rowCounter = nil
        let decoder: any RowDecoder
        do throws(TexelError) {
            decoder = try context.decoder(
                context.decodeOptions(first.route.image, shrink: first.route.shrink))
        } catch {
            for viewer in admitted { viewer.fail(error) }
            return
        }
        decode(for: admitted, decoder, isParallel: context.parallelism() > 1)
    }

    private func decode(for viewers: [Viewer], _ decoder: any RowDecoder, isParallel: Bool) {
        // `nil` for runs whose result was reported.
        var receivers: [RowReceiver?] = []
        for viewer in viewers {
            do throws(TexelError) {
                receivers.append(try RowReceiver(viewer.route, of: decoder))
            } catch {
                viewer.finish(.failure(error))
                receivers.append(nil)
            }
        }
        do throws(TexelError) {
            let notes = try RowReceiver.read(decoder, isParallel: isParallel) { band throws(TexelError) in
                for (index, viewer) in viewers.enumerated() where receivers[index] != nil {
                    // Frees the memory of a stopped run within a band.
                    if viewer.hasStopped() { receivers[index] = nil }
                    try receivers[index]?.take(band)
                    viewer.rowCounter?.advance(by: band.rows.count)
                }
            }
            for (index, viewer) in viewers.enumerated() {
                guard let image = receivers[index]?.finish() else { continue }
                // Release this reference first: each step would copy a shared buffer.
                receivers[index] = nil
                viewer.finish(.success(DecodedImage(image, notes)))
            }
        } catch {
            for (index, viewer) in viewers.enumerated() where receivers[index] != nil { viewer.fail(error) }
        }
    }
}
