import TexelCodecs
import TexelCore
import TexelPixels

/// Admits workers one at a time, in the order of their turns.
final class DeliveryOrder: Sendable {
    private let state = Monitor(State())

    private struct State {
        var turn = 0
        var isOpen = false
    }

    /// Blocks until it is this turn; `false` once the turnstile is abandoned.
    func wait(for turn: Int) -> Bool {
        state.wait { state -> Bool? in
            if state.isOpen { return false }
            return state.turn == turn ? true : nil
        }
    }

    /// Ends the current turn.
    func advance() { state.update { $0.turn += 1 } }

    /// Ends all waits; no further turn starts.
    func abandon() { state.update { $0.isOpen = true } }
}
