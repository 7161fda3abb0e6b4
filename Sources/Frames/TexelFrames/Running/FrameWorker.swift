import TexelCore

/// Renders, encodes and delivers one frame after another on one thread.
///
/// Unchecked because of the renderer and the writer: only the worker's own thread uses them.
final class FrameWorker: @unchecked Sendable {
    private let renderer: FrameRenderer
    private let writer: any FrameWriter
    private let duplicates: DuplicateFilter?
    private let recorder: FrameRecorder
    private let clock: any FrameClock
    private let dropsDamaged: Bool

    init(
        renderer: FrameRenderer, writer: any FrameWriter, duplicates: DuplicateFilter?, recorder: FrameRecorder,
        clock: any FrameClock, dropsDamaged: Bool
    ) {
        self.renderer = renderer
        self.writer = writer
        self.duplicates = duplicates
        self.recorder = recorder
        self.clock = clock
        self.dropsDamaged = dropsDamaged
    }

    func run(
        _ ticket: consuming FrameQueue.Ticket, _ lease: consuming FrameLease, _ turnstile: DeliveryOrder
    ) throws(TexelError) {
        let turn = ticket.turn
        var passage = FrameRecorder.Passage()
        let began = clock.now
        passage.queue = began - ticket.frame.arrival
        var frame: Frame
        do throws(TexelError) {
            frame = try renderer.render(ticket.frame.frame, arrival: ticket.frame.arrival, into: lease)
            frame.followsDrop = ticket.frame.followsDrop
        } catch {
            // In turn: earlier frames are delivered first, and the first of several errors is reported.
            guard turnstile.wait(for: turn) else { return }
            guard dropsDamaged, error.isDamage else { throw error }
            recorder.dropped(1, .damaged)
            turnstile.advance()
            return
        }
        // Release the source's data: the source may be waiting for its buffer.
        _ = consume ticket
        let rendered = clock.now
        passage.render = rendered - began
        do throws(TexelError) {
            try writer.prepare(frame)
        } catch {
            guard turnstile.wait(for: turn) else { return }
            throw error
        }
        let encoded = clock.now
        passage.encode = encoded - rendered

        guard turnstile.wait(for: turn) else { return }
        if let duplicates, duplicates.isDuplicate(frame) {
            recorder.dropped(1, .duplicate)
        } else {
            // After a failure no later turn runs, so nothing is written after the missing frame.
            try writer.write(frame)
            let delivered = clock.now
            passage.deliver = delivered - encoded
            passage.age = delivered - frame.arrival
            recorder.delivered(passage, position: frame.time)
        }
        turnstile.advance()
    }
}

extension TexelError {
    /// Whether only this frame is damaged, so that later ones may still be valid.
    fileprivate var isDamage: Bool {
        place.frame != nil
    }
}
