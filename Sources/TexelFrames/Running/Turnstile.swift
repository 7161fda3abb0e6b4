import TexelCodecs

/// Lets workers through one at a time, in the order of their turns.
final class Turnstile: Sendable {
    private let state = Monitor(State())

    private struct State {
        var turn = 0
        var isOpen = false
    }

    /// Waits for the turn to come; says whether it does.
    func wait(for turn: Int) -> Bool {
        state.wait { state -> Bool? in
            if state.isOpen { return false }
            return state.turn == turn ? true : nil
        }
    }

    /// The turn is over.
    func advance() { state.update { $0.turn += 1 } }

    /// Nobody need wait any more: no turn comes.
    func abandon() { state.update { $0.isOpen = true } }
}
