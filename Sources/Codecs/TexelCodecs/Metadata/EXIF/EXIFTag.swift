/// The tag numbers that Texel uses (CIPA DC-008, 4.6.4 to 4.6.8).
package enum EXIFTag {
    // The image directory, IFD0.
    package static let imageWidth: UInt16 = 0x0100
    package static let imageLength: UInt16 = 0x0101
    package static let imageDescription: UInt16 = 0x010E
    package static let make: UInt16 = 0x010F
    package static let model: UInt16 = 0x0110
    package static let stripOffsets: UInt16 = 0x0111
    package static let orientation: UInt16 = 0x0112
    package static let stripByteCounts: UInt16 = 0x0117
    package static let xResolution: UInt16 = 0x011A
    package static let yResolution: UInt16 = 0x011B
    package static let resolutionUnit: UInt16 = 0x0128
    package static let software: UInt16 = 0x0131
    package static let dateTime: UInt16 = 0x0132
    package static let artist: UInt16 = 0x013B
    package static let thumbnailOffset: UInt16 = 0x0201
    package static let thumbnailLength: UInt16 = 0x0202
    package static let yCbCrPositioning: UInt16 = 0x0213
    package static let copyright: UInt16 = 0x8298
    package static let authorForExplorer: UInt16 = 0x9C9D

    // Pointers to the other directories.
    package static let exifDirectory: UInt16 = 0x8769
    package static let gpsDirectory: UInt16 = 0x8825
    package static let interoperabilityDirectory: UInt16 = 0xA005

    // The Exif directory.
    package static let exposureTime: UInt16 = 0x829A
    package static let fNumber: UInt16 = 0x829D
    package static let exposureProgram: UInt16 = 0x8822
    package static let photographicSensitivity: UInt16 = 0x8827
    package static let sensitivityType: UInt16 = 0x8830
    package static let standardOutputSensitivity: UInt16 = 0x8831
    package static let recommendedExposureIndex: UInt16 = 0x8832
    package static let isoSpeed: UInt16 = 0x8833
    package static let isoSpeedLatitudeYYY: UInt16 = 0x8834
    package static let isoSpeedLatitudeZZZ: UInt16 = 0x8835
    package static let exifVersion: UInt16 = 0x9000
    package static let dateTimeOriginal: UInt16 = 0x9003
    package static let dateTimeDigitized: UInt16 = 0x9004
    package static let offsetTime: UInt16 = 0x9010
    package static let offsetTimeOriginal: UInt16 = 0x9011
    package static let offsetTimeDigitized: UInt16 = 0x9012
    package static let componentsConfiguration: UInt16 = 0x9101
    package static let shutterSpeed: UInt16 = 0x9201
    package static let aperture: UInt16 = 0x9202
    package static let brightness: UInt16 = 0x9203
    package static let exposureBias: UInt16 = 0x9204
    package static let maxAperture: UInt16 = 0x9205
    package static let meteringMode: UInt16 = 0x9207
    package static let lightSource: UInt16 = 0x9208
    package static let flash: UInt16 = 0x9209
    package static let focalLength: UInt16 = 0x920A
    package static let makerNote: UInt16 = 0x927C
    package static let userComment: UInt16 = 0x9286
    package static let subSecTime: UInt16 = 0x9290
    package static let subSecTimeOriginal: UInt16 = 0x9291
    package static let subSecTimeDigitized: UInt16 = 0x9292
    package static let flashpixVersion: UInt16 = 0xA000
    package static let colorSpace: UInt16 = 0xA001
    package static let pixelXDimension: UInt16 = 0xA002
    package static let pixelYDimension: UInt16 = 0xA003
    package static let exposureIndex: UInt16 = 0xA215
    package static let sensingMethod: UInt16 = 0xA217
    package static let exposureMode: UInt16 = 0xA402
    package static let whiteBalance: UInt16 = 0xA403
    package static let digitalZoomRatio: UInt16 = 0xA404
    package static let focalLengthIn35mmFilm: UInt16 = 0xA405
    package static let sceneCaptureType: UInt16 = 0xA406
    package static let gainControl: UInt16 = 0xA407
    package static let contrast: UInt16 = 0xA408
    package static let saturation: UInt16 = 0xA409
    package static let sharpness: UInt16 = 0xA40A
    package static let imageUniqueID: UInt16 = 0xA420
    package static let cameraOwnerName: UInt16 = 0xA430
    package static let bodySerialNumber: UInt16 = 0xA431
    package static let lensSpecification: UInt16 = 0xA432
    package static let lensMake: UInt16 = 0xA433
    package static let lensModel: UInt16 = 0xA434
    package static let lensSerialNumber: UInt16 = 0xA435

    // The GPS directory.
    package static let gpsVersion: UInt16 = 0x0000
    package static let gpsLatitude: UInt16 = 0x0002

    // The interoperability directory (DCF).
    package static let interoperabilityIndex: UInt16 = 0x0001
    package static let relatedImageWidth: UInt16 = 0x1001
    package static let relatedImageLength: UInt16 = 0x1002
}
