package import TexelPixels

/// A recipe's operations, joined for images of one size.
///
/// Crop and resize, which can run while rows are decoded, are moved before orientation, flips and quarter turns, in the
/// stored image's coordinates, so that fewer pixels are moved afterwards. All other operations follow in their order.
package struct JoinedOperations: Sendable {
    private let storedSize: PixelSize
    /// The transform from the stored rows to the displayed image.
    private let storedOrientation: Orientation
    /// The colour of uncovered pixels.
    private let background: PixelColor

    /// The displayed size after the operations.
    private(set) package var size: PixelSize {
        didSet { if size.pixelCount ?? .max > largestSize.pixelCount ?? .max { largestSize = size } }
    }
    /// The largest value of `size` so far.
    private(set) package var largestSize = PixelSize(width: 1, height: 1)
    /// The displayed rectangle that is left after the crops.
    private var bounds: PixelRectangle
    private var resize: (options: ResizeOptions, plan: ResizePlan)?
    /// The lossless moves after the load: orientation, flips and quarter turns.
    private(set) var moves: Orientation
    /// Whether operations may still join the front part, which runs while rows are decoded.
    private var isFrontOpen = true
    /// What follows the load and the moves.
    private(set) var laterSteps: [Plan.Step] = []

    /// - Parameters:
    ///   - operations: the operations in their order.
    ///   - size: the size of the image as stored.
    ///   - orientation: the transform from the stored rows to the displayed image.
    ///   - background: the colour of uncovered pixels.
    /// - Throws: `rectangleOutOfBounds`, `invalidSize`, `invalidTransform`, `resultTooLarge` if an operation cannot be
    ///   applied to the size that it meets.
    package init(
        _ operations: [PixelOperation], of size: PixelSize, orientation: Orientation = .identity,
        background: PixelColor
    ) throws(PixelBufferError) {
        storedSize = size
        storedOrientation = orientation
        self.background = background
        self.size = orientation.applied(to: size)
        bounds = PixelRectangle(covering: self.size)
        moves = orientation
        for operation in operations { try add(operation) }
    }

    /// The operations after the load, the moves first.
    package var steps: [Plan.Step] { moves == .identity ? laterSteps : [.orient(moves)] + laterSteps }

    /// Whether rows of the stored image are columns of the result.
    var turnsSides: Bool {
        laterSteps.reduce(moves.swapsSides) { turned, step in
            if case .orient(let orientation) = step { turned != orientation.swapsSides } else { turned }
        }
    }

    /// The front part in the stored image's coordinates.
    package var load: PixelLoad {
        let storedBounds = FractionalRectangle(bounds).undoing(
            storedOrientation, displayed: storedOrientation.applied(to: storedSize))
        let whole = PixelRectangle(
            x: Int(storedBounds.x), y: Int(storedBounds.y), width: Int(storedBounds.width),
            height: Int(storedBounds.height))
        guard let resize else { return .decode(whole) }
        let order = PassOrder(source: bounds.size, target: resize.plan.imageSize)
        return .resample(
            Resampling(
                bounds: whole,
                sampled: resize.plan.sampledRectangle.undoing(storedOrientation, displayed: bounds.size),
                target: storedOrientation.applied(to: resize.plan.imageSize),
                filter: resize.options.filter, usesLinearLight: resize.options.usesLinearLight,
                order: storedOrientation.transposes ? order.transposed : order))
    }

    // MARK: Adding operations

    private mutating func add(_ operation: PixelOperation) throws(PixelBufferError) {
        switch operation {
        case .crop(let rectangle): try addCrop(rectangle)
        case .resize(let options): try addResize(options)
        case .flip(let axis): addMove(axis.orientation)
        case .rotate(let degrees, let filter): try addRotation(degrees, filter)
        case .turn(let attitude, let filter):
            if attitude.staysInPlane { return try addRotation(attitude.roll, filter) }
            append(
                .turn(attitude, filter: filter, background: background), size: try size.inPerspective(attitude))
        case .flatten(let color): append(.flatten(color), size: size)
        }
    }

    private mutating func addCrop(_ rectangle: PixelRectangle) throws(PixelBufferError) {
        guard rectangle.isInside(size) else { throw .rectangleOutOfBounds(rectangle, size) }
        if rectangle == PixelRectangle(covering: size) { return }
        if isFrontOpen, resize == nil, moves == storedOrientation {
            bounds = PixelRectangle(
                x: bounds.x + rectangle.x, y: bounds.y + rectangle.y, width: rectangle.width, height: rectangle.height)
            size = rectangle.size
        } else {
            append(.crop(rectangle), size: rectangle.size)
        }
    }

    private mutating func addResize(_ options: ResizeOptions) throws(PixelBufferError) {
        let plan = try options.rule.plan(for: size)
        if plan.isIdentity { return }
        // A filter that rounds ties to one side must get the pixels as displayed.
        let isMirrored = storedOrientation.mirrorsX || storedOrientation.mirrorsY
        let breaksTies = options.filter == .nearest || options.filter == .box
        guard isFrontOpen, resize == nil, moves == storedOrientation,
            plan.keepsScale || !(isMirrored && breaksTies)
        else {
            return appendResize(options, plan)
        }
        if plan.keepsScale, !plan.isPadded {
            // The resize is only a crop.
            let sampled = plan.sampledRectangle
            return try addCrop(
                PixelRectangle(
                    x: Int(sampled.x), y: Int(sampled.y), width: Int(sampled.width), height: Int(sampled.height)))
        }
        if !plan.keepsScale { resize = (options, plan) }
        size = plan.imageSize
        appendPadding(plan)
    }

    /// Adds a resize of an image that is in memory already.
    private mutating func appendResize(_ options: ResizeOptions, _ plan: ResizePlan) {
        if !plan.keepsScale || plan.isCropped {
            let resampling = Resampling(
                bounds: PixelRectangle(covering: size), sampled: plan.sampledRectangle, target: plan.imageSize,
                filter: options.filter, usesLinearLight: options.usesLinearLight,
                order: PassOrder(source: size, target: plan.imageSize))
            append(.resize(resampling), size: plan.imageSize)
        }
        appendPadding(plan)
    }

    private mutating func appendPadding(_ plan: ResizePlan) {
        guard plan.isPadded else { return }
        append(.pad(plan.canvasSize, plan.imageRectangle, background), size: plan.canvasSize)
    }

    private mutating func addRotation(_ degrees: Double, _ filter: ResamplingFilter) throws(PixelBufferError) {
        let rotated = try size.rotated(by: degrees)
        if let turns = try quarterTurns(in: degrees) {
            addMove(Orientation(quarterTurns: turns))
        } else {
            append(.rotate(degrees: degrees, filter: filter, background: background), size: rotated)
        }
    }

    private mutating func addMove(_ move: Orientation) {
        guard move != .identity else { return }
        if isFrontOpen {
            moves = moves.followed(by: move)
            size = move.applied(to: size)
        } else {
            append(.orient(move), size: move.applied(to: size))
        }
    }

    private mutating func append(_ step: Plan.Step, size: PixelSize) {
        isFrontOpen = false
        laterSteps.append(step)
        self.size = size
    }
}

extension FractionalRectangle {
    init(_ rectangle: PixelRectangle) {
        self.init(
            x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.width),
            height: Double(rectangle.height))
    }

    /// Returns where this rectangle of an image moved by `orientation` was before the move.
    ///
    /// - Parameter displayed: the size of the image after the move.
    func undoing(_ orientation: Orientation, displayed: PixelSize) -> FractionalRectangle {
        let x = orientation.mirrorsX ? Double(displayed.width) - self.x - width : self.x
        let y = orientation.mirrorsY ? Double(displayed.height) - self.y - height : self.y
        return orientation.transposes
            ? FractionalRectangle(x: y, y: x, width: height, height: width)
            : FractionalRectangle(x: x, y: y, width: width, height: height)
    }
}
