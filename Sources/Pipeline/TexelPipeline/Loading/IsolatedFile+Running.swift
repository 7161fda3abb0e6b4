import TexelCodecs
import TexelCore
import TexelPixels

extension IsolatedFile {
    /// Carries out plans in a child process, with a single decode.
    ///
    /// - Parameters:
    ///   - threads: how many threads may share the work.
    ///   - deliver: called with the index and the result of each plan.
    func carryOut<Output: IsolatedOutput, Value>(
        _ runs: [RecipeRun], threads: Int,
        deliver: (Int, Result<Output, TexelError>) throws(TexelError) -> Value
    ) throws(TexelError) -> [Value] {
        guard let first = runs.first else { return [] }
        let orders = runs.map { run in
            IsolatedWork.Order(recipe: run.plan.recipe, result: run.plan.image.result, shrink: run.plan.shrink)
        }
        let work = IsolatedWork(
            orders: orders, sharesDecode: first.sharesDecode, policy: first.policy, threads: threads)
        let formats = Set([info.format] + runs.compactMap(\.plan.format))
        let outputs = try input.isolation.carryOut(work, on: input, formats: formats, first.stop) {
            runs[$0].rowCounter.show($1)
        } read: { index, head, results throws(TexelError) in
            let output = try Output.read(head, &results, runs[index].plan)
            runs[index].rowCounter.finish()
            return output
        }
        var values: [Value] = []
        for (index, output) in outputs.enumerated() { values.append(try deliver(index, output)) }
        return values
    }
}
