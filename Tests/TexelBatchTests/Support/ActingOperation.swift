import Synchronization
import TexelCore
import TexelOperations
import TexelPixels

extension PixelOperation {
    /// Changes nothing, and runs a closure before it does.
    static func acting(_ action: @escaping @Sendable () -> Void) -> PixelOperation {
        let number = ActingOperation.actions.withLock { actions in
            actions.append(action)
            return actions.count - 1
        }
        return PixelOperation(ActingOperation(number: number))
    }
}

private struct ActingOperation: OperationDescription {
    static let name = "act"
    /// By number, because operations can be compared and encoded.
    static let actions = Mutex<[@Sendable () -> Void]>([])

    let number: Int

    func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        [Step(number: number)]
    }

    private struct Step: RowStep {
        let number: Int

        var summary: String { "act" }
        var runsInPlace: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            ActingOperation.actions.withLock { $0[number] }()
            return Pass()
        }
    }

    private final class Pass: StepPass {
        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {}
    }
}
