import Synchronization
import TexelCodecs
import TexelPixels

extension IsolatedWork {
    /// The result of an order.
    enum Product: Sendable {
        case file(EncodedImage)
        case pixels(PixelBuffer)
        case failed(PipelineError)

        init(_ make: () throws(PipelineError) -> Product) {
            do throws(PipelineError) { self = try make() } catch { self = .failed(error) }
        }
    }

    /// Carries out the orders with a single decode.
    ///
    /// - Returns: a product for each order.
    func carriedOut(on source: ImageSource) throws(PipelineError) -> [Product] {
        var plans: [Plan] = []
        for order in orders {
            plans.append(
                try PipelineError.wrapping { () throws(PixelBufferError) in
                    try Planner.plan(
                        order.recipe, for: .file(source.info), to: order.result, routes: Set(routes),
                        largestShrink: order.shrink)
                })
        }
        if plans.count == 1 {
            return [Product { () throws(PipelineError) in try product(orders[0], plans[0], source) }]
        }
        return products(plans, source)
    }

    private func product(_ order: Order, _ plan: Plan, _ source: ImageSource) throws(PipelineError) -> Product {
        switch kind {
        case .file: .file(try processor(order, plan, source).run())
        case .pixels: .pixels(try route(plan, source).run().decoded.image)
        }
    }

    private func products(_ plans: [Plan], _ source: ImageSource) -> [Product] {
        let products = Products(count: plans.count)
        let viewers = plans.indices.map { index in
            DecodeGroup.Viewer(plan: plans[index], stop: StopToken(), rowCounter: nil) { image in
                products.set(
                    Product { () throws(PipelineError) in
                        try finished(image.get(), orders[index], plans[index], source)
                    }, at: index)
            }
        }
        let audience = DecodeGroup()
        _ = audience.admit(viewers, byteLimit: .max)
        var options = decodeOptions
        options.frame = plans[0].frame
        audience.decode(source, shrink: plans[0].shrink, options, parallelism: { 1 })
        return products.all
    }

    private func finished(
        _ image: DecodedImage, _ order: Order, _ plan: Plan, _ source: ImageSource
    ) throws(PipelineError) -> Product {
        switch kind {
        case .file: .file(try processor(order, plan, source).finish(image))
        case .pixels: .pixels(try route(plan, source).finish(image).decoded.image)
        }
    }

    private var decodeOptions: DecodeOptions {
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        return options
    }

    private func processor(_ order: Order, _ plan: Plan, _ source: ImageSource) -> Processor {
        Processor(source, recipe: order.recipe, plan: plan, limits: limits, strictness: strictness)
    }

    private func route(_ plan: Plan, _ source: ImageSource) -> PixelRoute {
        PixelRoute(source, plan: plan, options: decodeOptions)
    }
}

/// Collects the products of the runs that share a decoder. Those that are never set count as stopped.
private final class Products: Sendable {
    private let products: Mutex<[IsolatedWork.Product]>

    init(count: Int) { products = Mutex(Array(repeating: .failed(.codec(.stopped(.cancelled))), count: count)) }

    func set(_ product: IsolatedWork.Product, at index: Int) { products.withLock { $0[index] = product } }

    var all: [IsolatedWork.Product] { products.withLock { $0 } }
}
