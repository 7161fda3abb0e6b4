import CLibAVShim
package import TexelCodecs

extension LoadedLibrary {
    /// libavcodec, and the libraries of FFmpeg beside it.
    package static let libAV = LoadedLibrary(
        "libavcodec", package: "ffmpeg", load: { texel_libav_load($0) },
        version: { String(cString: texel_libav_version()) }, path: { String(cString: texel_libav_path()) })

    /// The same with FFmpeg's library of devices, for cameras.
    package static let libAVDevices = LoadedLibrary(
        "libavdevice", package: "ffmpeg", load: { texel_libav_load_devices($0) },
        version: { String(cString: texel_libav_version()) }, path: { String(cString: texel_libav_path()) })
}
