import Synchronization
import TexelCodecs
import TexelPixels

extension IsolatedWork {
    /// The result of an order.
    typealias Product = Result<any IsolatedOutput, PipelineError>

    /// Carries out the orders with a single decode.
    ///
    /// - Parameter report: called with the index of an order and its progress, on any thread.
    /// - Returns: a product for each order.
    func carriedOut(
        on file: any ImageFile, report: @escaping @Sendable (Int, RowProgress) -> Void
    ) throws(PipelineError) -> [Product] {
        // Orders that share a decode name the same page.
        let source = try file.page(of: orders.first?.recipe.frame, limits: policy.limits)
        let plans = try orders.map { order throws(PipelineError) in
            try Planner.plan(
                order.recipe, for: source.info, to: order.result, limits: policy.limits, largestShrink: order.shrink,
                sharesDecode: sharesDecode)
        }
        let contexts = plans.indices.map { index in
            RouteContext(
                source, policy: policy, parallelism: { [threads] in threads },
                rowCounter: RowCounter { report(index, $0) })
        }
        let pixelRoutes = plans.compactMap(\.planned.pixelRoute)
        guard plans.count > 1, pixelRoutes.count == plans.count else {
            return zip(plans, contexts).map { plan, context in
                Product { () throws(PipelineError) in try plan.image.result.output.make(plan, context) }
            }
        }
        let products = Products(count: plans.count)
        let viewers = plans.indices.map { index in
            let context = contexts[index]
            return DecodeGroup.Viewer(
                route: pixelRoutes[index], stop: StopToken(), rowCounter: context.rowCounter
            ) { image in
                products.set(
                    Product { () throws(PipelineError) in
                        try plans[index].image.result.output.make(plans[index], context, from: image.get())
                    }, at: index)
            }
        }
        let group = DecodeGroup(viewers)
        var context = contexts[0]
        context.rowCounter = nil
        group.decode(context)
        return products.all
    }
}

/// Collects the products of the runs that share a decoder. Those that are never set count as stopped.
private final class Products: Sendable {
    private let products: Mutex<[IsolatedWork.Product]>

    init(count: Int) {
        products = Mutex(Array(repeating: .failure(.codec(.stopped(.cancelled))), count: count))
    }

    func set(_ product: IsolatedWork.Product, at index: Int) { products.withLock { $0[index] = product } }

    var all: [IsolatedWork.Product] { products.withLock { $0 } }
}
