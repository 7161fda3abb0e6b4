#if OpenGL
    import COpenGL

    /// Saves the OpenGL state that an upload changes, which belongs to the application.
    struct UnpackState {
        private let texture: GLuint
        private let buffer: GLuint
        private let values: (rowLength: GLint, skippedRows: GLint, skippedPixels: GLint, alignment: GLint)

        /// Saves the current state.
        init() {
            texture = GLuint(Self.integer(GL_TEXTURE_BINDING_2D))
            buffer = GLuint(Self.integer(GL_PIXEL_UNPACK_BUFFER_BINDING))
            values = (
                Self.integer(GL_UNPACK_ROW_LENGTH), Self.integer(GL_UNPACK_SKIP_ROWS),
                Self.integer(GL_UNPACK_SKIP_PIXELS), Self.integer(GL_UNPACK_ALIGNMENT)
            )
        }

        func restore() {
            glBindTexture(GLenum(GL_TEXTURE_2D), texture)
            glBindBuffer(GLenum(GL_PIXEL_UNPACK_BUFFER), buffer)
            Self.set(
                rowLength: values.rowLength, skippedRows: values.skippedRows, skippedPixels: values.skippedPixels,
                alignment: values.alignment)
        }

        /// Sets the layout of the source: rows of four-byte pixels with a stride of `rowLength` pixels.
        static func set(
            rowLength: GLint, skippedRows: GLint = 0, skippedPixels: GLint = 0, alignment: GLint = 4
        ) {
            glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), rowLength)
            glPixelStorei(GLenum(GL_UNPACK_SKIP_ROWS), skippedRows)
            glPixelStorei(GLenum(GL_UNPACK_SKIP_PIXELS), skippedPixels)
            glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), alignment)
        }

        private static func integer(_ name: CInt) -> GLint {
            var value: GLint = 0
            glGetIntegerv(GLenum(name), &value)
            return value
        }
    }
#endif
