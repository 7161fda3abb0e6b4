#if LibAV

    import CLibAVShim
    import TexelCodecs

    extension LoadedLibrary {
        /// libavcodec, and the libraries of FFmpeg beside it.
        static let libAV = LoadedLibrary(
            "libavcodec", package: "ffmpeg", load: { texel_libav_load($0) },
            version: { String(cString: texel_libav_version()) }, path: { String(cString: texel_libav_path()) })
    }

#endif
