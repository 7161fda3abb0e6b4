extension OperationRegistry {
    /// The registry of the whole process.
    package static let shared = OperationRegistry([
        CropOperation.self,
        ResizeOptions.self,
        FlipOperation.self,
        RotateOperation.self,
        TurnOperation.self,
        FlattenOperation.self,
    ])
}
