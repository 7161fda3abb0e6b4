extension OperationRegistry {
    /// The registry of the whole process.
    package static let shared = OperationRegistry([
        CropOperation.self,
        ResizeOptions.self,
        FlipOperation.self,
        RotateOperation.self,
        TurnOperation.self,
        FlattenOperation.self,
        BrightnessOperation.self,
        ContrastOperation.self,
        SaturationOperation.self,
        HueOperation.self,
        GreyscaleOperation.self,
        SepiaOperation.self,
        NegateOperation.self,
        GammaOperation.self,
        ExposureOperation.self,
        LevelsOperation.self,
        ThresholdOperation.self,
        ColorMatrixOperation.self,
        LookUpOperation.self,
        BlurOperation.self,
        BoxBlurOperation.self,
        SharpenOperation.self,
        MedianOperation.self,
    ])
}
