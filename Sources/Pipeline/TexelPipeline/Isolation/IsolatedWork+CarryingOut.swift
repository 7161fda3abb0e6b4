import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

extension IsolatedWork {
    /// The result of an order.
    typealias Product = Result<any IsolatedOutput, TexelError>

    /// Carries out the orders with a single decode.
    ///
    /// - Parameter report: called with the index of an order and its progress, on any thread.
    /// - Returns: a product for each order.
    func carriedOut(
        on file: any ImageFile, report: @escaping @Sendable (Int, RowProgress) -> Void
    ) throws(TexelError) -> [Product] {
        // Orders that share a decode name the same page.
        let source = try file.page(of: orders.first?.recipe.frame, limits: policy.limits)
        let plans = try orders.map { order throws(TexelError) in
            try Planner.plan(
                order.recipe, for: source.info, to: order.result, limits: policy.limits, largestShrink: order.shrink,
                sharesDecode: sharesDecode)
        }
        let contexts = plans.indices.map { index in
            RouteContext(
                source, policy: policy, parallelism: { [threads] in threads },
                rowCounter: RowCounter { report(index, $0) })
        }
        let routes = plans.compactMap(\.planned.pixelRoute)
        guard plans.count > 1, routes.count == plans.count else {
            return zip(plans, contexts).map { plan, context in
                Product { () throws(TexelError) in try plan.image.result.output.make(plan, context) }
            }
        }
        // Those that are never set count as stopped.
        let products = Mutex([Product](repeating: .failure(.stopped(.cancelled)), count: plans.count))
        let viewers = routes.enumerated().map { index, route in
            let (plan, context) = (plans[index], contexts[index])
            return DecodeGroup.Viewer(route, stop: StopToken(), rowCounter: context.rowCounter) { image in
                let product = Product { () throws(TexelError) in
                    try plan.image.result.output.make(plan, context, from: image.get())
                }
                products.withLock { $0[index] = product }
            }
        }
        var context = contexts[0]
        context.rowCounter = nil
        DecodeGroup(viewers).decode(context)
        return products.withLock { $0 }
    }
}
