import Testing
import TexelOperations

@testable import TexelCore

/// What all errors have in common.
@Suite struct TexelErrorTests {
    private struct Plain: Error { var code: Int }
    private struct Equal: Error, Hashable {
        var code: Int
        static func == (left: Equal, right: Equal) -> Bool { left.code % 10 == right.code % 10 }
        func hash(into hasher: inout Hasher) { hasher.combine(code % 10) }
    }

    @Test func errorsOfCallersCompareByTheirOwnEquality() {
        #expect(TexelError.source(Plain(code: 1)) == .source(Plain(code: 1)))
        #expect(TexelError.source(Plain(code: 1)) != .source(Plain(code: 2)))
        #expect(TexelError.source(Equal(code: 1)) == .source(Equal(code: 11)))
        #expect(TexelError.source(Equal(code: 1)) != .source(Equal(code: 2)))
        #expect(TexelError.source(Equal(code: 1)) != .source(Plain(code: 1)))
        #expect(TexelError.source(Equal(code: 1)) != .sink(Equal(code: 1)))
        let errors: Set<TexelError> = [.source(Equal(code: 1)), .source(Equal(code: 11)), .source(Plain(code: 1))]
        #expect(errors.count == 2)
    }

    @Test func errorsOfCallersKeepTheirDescription() {
        #expect("\(TexelError.source(Plain(code: 1)))" == "the source failed: Plain(code: 1)")
        #expect(TexelError.source(Plain(code: 1)).underlying as? Plain != nil)
    }

    /// Kind, place, sentence and the system's number make an error what it is.
    @Test func errorsDifferInEachOfTheirParts() {
        let error = TexelError(.damaged, "it is broken", at: .init(input: "a", frame: 1, row: 2), systemError: 3)
        let others = [
            TexelError(.truncated, "it is broken", at: error.place, systemError: 3),
            TexelError(.damaged, "it broke", at: error.place, systemError: 3),
            TexelError(.damaged, "it is broken", at: .init(input: "b", frame: 1, row: 2), systemError: 3),
            TexelError(.damaged, "it is broken", at: .init(input: "a", row: 2), systemError: 3),
            TexelError(.damaged, "it is broken", at: .init(input: "a", frame: 1), systemError: 3),
            TexelError(.damaged, "it is broken", at: error.place),
        ]
        #expect(Set(others + [error]).count == others.count + 1)
    }

    /// A child process sends its errors to its parent.
    @Test func errorsComeBackFromMessages() throws {
        let place = TexelError.Place(input: "a.png", frame: 7, row: 9)
        let errors: [TexelError] = [
            TexelError(.limitExceeded(.scans), "too many", at: place, systemError: 5), TexelError(.status(404), "gone"),
            .stopped(.timedOut), .truncated(rowsRead: 0, rows: 9), .outOfMemory,
        ]
        for error in errors {
            #expect(try MessageDecoder.decode(TexelError.self, from: MessageEncoder.encode(error)) == error)
        }
    }

    @Test func errorsOfTexelPassThroughSources() {
        #expect(TexelError(thrownBySource: TexelError.empty) == .empty)
        #expect(TexelError(thrownBySource: CancellationError()) == .stopped(.cancelled))
        #expect(TexelError(thrownBySource: Plain(code: 1)) == .source(Plain(code: 1)))
    }
}
