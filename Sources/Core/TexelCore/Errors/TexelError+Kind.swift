extension TexelError {
    /// What happened.
    public enum Kind: Sendable, Hashable, Codable {
        // The contents of an input.

        /// The input has no bytes.
        case empty
        /// The first bytes match none of the readable formats.
        case unknownFormat
        /// The input is valid, but uses a feature that Texel does not support.
        case unsupported
        /// The bytes end before the image, or the frame, does.
        case truncated
        /// The input is damaged.
        case damaged
        /// The decoder warned, and the strictness does not allow warnings of this kind.
        case warning
        /// The input exceeds one of the limits.
        case limitExceeded(LimitKind)
        /// An image in a sequence is missing.
        case missingImage
        /// A frame of a stream has another size than the first, where all must have one size.
        case sizeChanged

        // Several images in one input.

        /// The result would hold one frame of an animation, and the recipe does not select one.
        case animated
        /// The result would hold only the first page of a file of several, and the recipe does not allow that.
        case severalPages
        /// The result would lose what the file holds besides its image, and the recipe does not allow that.
        case attachmentsLost
        /// The requested frame does not exist.
        case missingFrame
        /// The requested page does not exist.
        case missingPage

        // Arguments and results.

        /// An argument has a value that is not allowed: a size, a rectangle, a layout of memory, a parameter.
        case invalidArgument
        /// A parameter of an operation has a value that is not allowed for this image.
        case invalidParameter
        /// Only images of the same size can be compared.
        case sizesDiffer
        /// The colour profile cannot be used.
        case unusableColorProfile
        /// The result would exceed the pixel limit or the largest possible size.
        case resultTooLarge
        /// A page of a contact sheet would be too large.
        case pageTooLarge
        /// The encoder cannot write this image in this format.
        case cannotEncode
        /// The recipe allows no loss, but the result cannot be made without it.
        case notLossless
        /// No encoding reaches the requested score.
        case scoreTooHigh
        /// Even the smallest encoding has more bytes than requested.
        case byteLimitTooLow
        /// No encoding both has few enough bytes and reaches the score.
        case byteLimitTooLowForScore

        // The work.

        /// The caller cancelled the work.
        case cancelled
        /// The time limit was reached.
        case timedOut
        /// No input arrived for too long.
        case stalled
        /// The input failed before it was complete.
        case sourceFailed
        /// The output could not be written.
        case outputFailed
        /// Memory could not be allocated.
        case outOfMemory
        /// A library that is loaded when it is first used is not installed.
        case missingLibrary
        /// The caller's own source or stream threw an error; see ``TexelError/underlying``.
        case source
        /// The caller's own sink threw an error; see ``TexelError/underlying``.
        case sink

        // Files.

        /// There is no file of this name.
        case missingFile
        /// The file is a directory.
        case isDirectory
        /// The file or the folder cannot be read.
        case cannotRead
        /// Reading a stream failed.
        case streamFailed
        /// Another program shortened the file while it was read.
        case shortened
        /// Another program changed or removed the file while its replacement was made. Nothing was written.
        case changed
        /// A searched directory contains no image.
        case noImagesFound
        /// The output exists already and must not be replaced.
        case alreadyExists
        /// The output is also an input, and replacing inputs was not requested.
        case isInput
        /// Another input of the same call has the same output.
        case outputConflict
        /// The output's extension stands for a format that Texel cannot write, and no other format was given.
        case cannotWriteFormat
        /// The output would be outside the output folder.
        case outsideFolder
        /// An output's path leads through a symbolic link that the user did not name.
        case isLink
        /// The output cannot be created.
        case cannotCreate
        /// Writing failed; no partial file remains.
        case cannotWrite
        /// The reader of the output closed it.
        case outputClosed
        /// Another process writes into the same directory.
        case inUse
        /// The file with a manifest's name is not a manifest.
        case foreignManifest
        /// A watched folder was removed or moved.
        case folderVanished
        /// The system's limit of watched folders is reached.
        case tooManyWatches

        // Transfers.

        /// The address is not valid, or cannot be loaded here.
        case invalidURL
        /// The caller's own rule refuses the address.
        case refusedURL
        /// The server cannot be reached.
        case unreachable
        /// No bytes arrived from the server for too long.
        case transferTimedOut
        /// The server answered with this status instead of an image.
        case status(Int)
        /// The server redirects more often than allowed.
        case tooManyRedirects
        /// The server sent something that is not an image.
        case unexpectedContentType
        /// The server redirects to an address that is not permitted.
        case forbiddenRedirect
        /// The connection ended before all bytes had arrived.
        case incomplete
        /// An earlier request has consumed the bytes of the stream.
        case alreadyRead
        /// The transfer failed for another reason.
        case transferFailed

        // Child processes.

        /// This system cannot confine processes.
        case isolationUnavailable
        /// The child could not be started, or not be given its input.
        case childNotStarted
        /// The child crashed or was killed.
        case childEnded
        /// The child made a system call that no decoder needs, or its reply is not valid.
        case childFailed
        /// The child exceeded the limit of processor time.
        case childTimedOut

        // Text and graphics.

        /// No usable font is installed.
        case noFonts
        /// No font of this family is installed.
        case unknownFontFamily
        /// The named file is not a font that can be rendered.
        case unusableFont
        /// OpenGL failed.
        case openGL
    }
}
