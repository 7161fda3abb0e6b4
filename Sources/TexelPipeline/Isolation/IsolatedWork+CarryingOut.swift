import Synchronization
import TexelCodecs
import TexelPixels

extension IsolatedWork {
    /// The result of an order.
    typealias Product = Result<any IsolatedOutput, PipelineError>

    /// Carries out the orders with a single decode.
    ///
    /// - Returns: a product for each order.
    func carriedOut(on source: ImageSource) throws(PipelineError) -> [Product] {
        var processors: [Processor] = []
        for order in orders {
            let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
                try Planner.plan(
                    order.recipe, for: .file(source.info), to: order.result, routes: Set(routes),
                    largestShrink: order.shrink)
            }
            processors.append(
                Processor(source, recipe: order.recipe, plan: plan, limits: limits, strictness: strictness))
        }
        if processors.count == 1 {
            return [Product { () throws(PipelineError) in try kind.output.make(processors[0]) }]
        }
        return products(processors, source)
    }

    private func products(_ processors: [Processor], _ source: ImageSource) -> [Product] {
        let products = Products(count: processors.count)
        let viewers = processors.indices.map { index in
            DecodeGroup.Viewer(plan: processors[index].plan, stop: StopToken(), rowCounter: nil) { image in
                products.set(
                    Product { () throws(PipelineError) in
                        try kind.output.make(processors[index], from: image.get())
                    }, at: index)
            }
        }
        let audience = DecodeGroup()
        _ = audience.admit(viewers, byteLimit: .max)
        var options = DecodeOptions()
        (options.limits, options.strictness) = (limits, strictness)
        let plan = processors[0].plan
        options.frame = plan.frame
        audience.decode(source, shrink: plan.shrink, options, parallelism: { 1 })
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
