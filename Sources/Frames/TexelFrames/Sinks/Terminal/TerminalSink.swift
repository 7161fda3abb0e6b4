import Synchronization
public import SystemPackage
import TexelCodecs
public import TexelCore
import TexelMetrics
import TexelPixels

/// Shows frames in a terminal: half blocks in 24-bit colours, as large as the window allows, each drawn over the last.
///
/// Draws at most 30 frames per second and blocks the pipeline in between, so that the queue's policy decides which
/// frames are dropped. The cursor is hidden until ``finish()`` or the release of the sink.
public final class TerminalSink: FrameSink {
    private let output: FrameOutput
    private let clock: any FrameClock
    private let readScreen: @Sendable () -> TerminalScreen
    private let interval: Duration
    private let stop: StopToken
    private let state = Mutex(State())

    private struct State {
        var isShowing = false
        var screen: TerminalScreen?
        var lastUpdate: Duration?
        var caption: [UInt8] = []
    }

    /// Creates a sink for the terminal at a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - stop: Ends the wait for a terminal whose output is paused.
    public convenience init(
        _ descriptor: FileDescriptor = .standardOutput, stop: StopToken = StopToken()
    ) throws(TexelError) {
        let screen = TerminalScreen.current(descriptor: descriptor.rawValue)
        try self.init(.descriptor(descriptor), clock: SystemFrameClock(), updatesPerSecond: 30, stop: stop) {
            var now = screen
            now.updateSize(descriptor: descriptor.rawValue)
            return now
        }
    }

    /// Creates a sink for any destination.
    ///
    /// - Parameter screen: Called before each frame, because windows are resized.
    init(
        _ destination: FrameDestination, clock: any FrameClock, updatesPerSecond: Int, stop: StopToken = StopToken(),
        screen: @escaping @Sendable () -> TerminalScreen
    ) throws(TexelError) {
        output = try FrameOutput(destination, stop: stop)
        self.stop = stop
        self.clock = clock
        readScreen = screen
        interval = .seconds(1) / updatesPerSecond
    }

    deinit { try? finish() }

    public var isLive: Bool { true }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(self) }

    /// Sets the line below the image, from the next frame on. `text` must not contain control characters.
    public func setCaption(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { $0.caption = bytes }
    }

    public func finish() throws(TexelError) {
        let wasShowing = state.withLock { state in
            defer { state.isShowing = false }
            return state.isShowing
        }
        guard wasShowing else { return }
        try output.write(TerminalPainter.farewell)
    }

    /// Draws a frame. Called in turn.
    private func show(_ grid: borrowing CellGrid, with painter: inout TerminalPainter) throws(TexelError) {
        let screen = readScreen()
        let lastUpdate = state.withLock { $0.lastUpdate }
        if let lastUpdate { clock.sleep(until: lastUpdate + interval, stop: stop) }
        let now = clock.now
        let (isNewScreen, caption) = state.withLock { state in
            defer { (state.isShowing, state.screen, state.lastUpdate) = (true, screen, now) }
            return (!state.isShowing || state.screen != screen, state.caption)
        }
        painter.paint(grid, caption: caption, on: screen, clearing: isNewScreen)
        try output.write(frame: painter.text)
    }

    private final class Writer: FrameWriter {
        private let sink: TerminalSink
        private var grid = CellGrid()
        private var painter = TerminalPainter()

        init(_ sink: TerminalSink) { self.sink = sink }

        func prepare(_ frame: borrowing Frame) throws(TexelError) {
            let screen = sink.readScreen()
            // The last line is for the caption.
            grid.fill(from: frame, inside: PixelSize(width: screen.columns, height: max(2, 2 * (screen.rows - 1))))
        }

        func write(_ frame: borrowing Frame) throws(TexelError) { try sink.show(grid, with: &painter) }
    }
}
