import TexelCodecs
import TexelCore
import TexelPixels

/// Delivers the bytes of a pipe, a device or standard input.
struct StreamDelivery: Sendable {
    /// How long the bytes may take to arrive, from the open of a pipe to its end; `nil` for no limit.
    let timeLimit: Duration?
    /// Reads until the end; blocks, and polls the token.
    let read: @Sendable (ArrivingBytes, StopToken) throws(TexelError) -> Void

    /// Reads on a thread of its own, because it may block for any time.
    @Sendable func deliver(_ bytes: ArrivingBytes) async throws(TexelError) {
        let (stop, waiter) = (StopToken(timeout: timeLimit), Waiter<Void>())
        let thread = WorkerThread {
            waiter.resume(Result { () throws(TexelError) in try read(bytes, stop) })
        }
        guard let thread else { throw .outOfMemory }
        thread.detach()
        let outcome = await withTaskCancellationHandler {
            await waiter.result()
        } onCancel: {
            stop.cancel()
        }
        try outcome.get()
    }
}
