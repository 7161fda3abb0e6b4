package import TexelCore
package import TexelOperations
package import TexelPixels

/// A recipe's operations, joined for images of one size.
///
/// Crop and resize, which can run while rows are decoded, are moved before orientation, flips and quarter turns, in the
/// stored image's coordinates, so that fewer pixels are moved afterwards. All other operations follow in their order.
package struct JoinedOperations: Sendable {
    private let storedSize: PixelSize
    /// The transform from the stored rows to the displayed image.
    private let storedOrientation: Orientation

    /// The displayed size after the operations.
    private(set) package var size: PixelSize {
        didSet { if size.pixelCount ?? .max > largestSize.pixelCount ?? .max { largestSize = size } }
    }
    /// The largest value of `size` so far.
    private(set) package var largestSize = PixelSize(width: 1, height: 1)
    /// The displayed rectangle that is left after the crops.
    private var bounds: PixelRectangle
    /// The resize while rows are decoded, as displayed.
    private var resampling: Resampling?
    /// The lossless moves after the load: orientation, flips and quarter turns.
    private(set) var moves: Orientation
    /// Whether operations may still join the front part, which runs while rows are decoded.
    private var isFrontOpen = true
    /// The steps after the load and the moves.
    private(set) var laterSteps: [any RowStep] = []

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
    ) throws(TexelError) {
        storedSize = size
        storedOrientation = orientation
        self.size = orientation.applied(to: size)
        bounds = PixelRectangle(covering: self.size)
        moves = orientation
        for operation in operations {
            for step in try operation.value.steps(for: self.size, background: background) { add(step) }
        }
    }

    /// The operations after the load, the moves first, for an image in a colour space.
    func steps(in colorSpace: ColorSpace) throws(TexelError) -> [any RowStep] {
        var steps: [any RowStep] = moves == .identity ? [] : [MoveStep(moves)]
        for step in laterSteps { steps.append(try step.matching(colorSpace)) }
        return steps
    }

    /// The load and the operations after it, for an image of the stored size in memory.
    ///
    /// - Parameter isLoaded: whether the image has been loaded as planned, so that only the other operations remain.
    package func stepsInMemory(
        isLoaded: Bool = false, in colorSpace: ColorSpace
    ) throws(TexelError) -> [any RowStep] {
        (isLoaded ? [] : load.steps(for: storedSize)) + (try steps(in: colorSpace))
    }

    /// Whether rows of the stored image are columns of the result.
    var turnsSides: Bool {
        laterSteps.reduce(moves.swapsSides) { turned, step in
            if let move = step as? MoveStep { turned != move.orientation.swapsSides } else { turned }
        }
    }

    /// The front part in the stored image's coordinates.
    package var load: PixelLoad {
        let storedBounds = FractionalRectangle(bounds).undoing(
            storedOrientation, displayed: storedOrientation.applied(to: storedSize))
        let whole = PixelRectangle(
            x: Int(storedBounds.x), y: Int(storedBounds.y), width: Int(storedBounds.width),
            height: Int(storedBounds.height))
        guard var resampling else { return .decode(whole) }
        resampling.bounds = whole
        resampling.sampled = resampling.sampled.undoing(storedOrientation, displayed: bounds.size)
        resampling.target = storedOrientation.applied(to: resampling.target)
        if storedOrientation.transposes { resampling.order = resampling.order.transposed }
        return .resample(resampling)
    }

    // MARK: Adding steps

    private mutating func add(_ step: any RowStep) {
        switch step {
        case let move as MoveStep where isFrontOpen:
            moves = moves.followed(by: move.orientation)
            size = move.outputSize(of: size)
        case let crop as CropStep where canJoinLoad: cropLoad(to: crop.rectangle)
        case let resize as ResizeStep where canJoinLoad && canRunBeforeMoves(resize.resampling):
            if resize.resampling.keepsScale {
                let sampled = resize.resampling.sampled
                cropLoad(
                    to: PixelRectangle(
                        x: Int(sampled.x), y: Int(sampled.y), width: Int(sampled.width), height: Int(sampled.height)))
            } else {
                resampling = resize.resampling
                size = resize.resampling.target
            }
        case let color as ColorStep:
            isFrontOpen = false
            if let last = laterSteps.last as? ColorStep {
                laterSteps[laterSteps.count - 1] = last.followed(by: color)
            } else {
                laterSteps.append(color)
            }
        default:
            isFrontOpen = false
            laterSteps.append(step)
            size = step.outputSize(of: size)
        }
    }

    /// Whether a crop or a resize can still be done while rows are decoded.
    private var canJoinLoad: Bool { isFrontOpen && resampling == nil && moves == storedOrientation }

    /// A filter that rounds ties to one side must get the pixels as displayed.
    private func canRunBeforeMoves(_ resampling: Resampling) -> Bool {
        let isMirrored = storedOrientation.mirrorsX || storedOrientation.mirrorsY
        let breaksTies = resampling.filter == .nearest || resampling.filter == .box
        return resampling.keepsScale || !(isMirrored && breaksTies)
    }

    private mutating func cropLoad(to rectangle: PixelRectangle) {
        bounds = PixelRectangle(
            x: bounds.x + rectangle.x, y: bounds.y + rectangle.y, width: rectangle.width, height: rectangle.height)
        size = rectangle.size
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
