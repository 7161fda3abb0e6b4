import CPixelKernels
package import TexelCore

extension Plane {
    /// Returns the plane after the operation `orientation`, or the plane itself for `identity`.
    ///
    /// - Throws: `outOfMemory`.
    package func oriented(_ orientation: Orientation) throws(TexelError) -> Plane {
        guard orientation != .identity else { return self }
        let result = try Plane(orientation.applied(to: size))
        if orientation.transposes {
            transpose(into: result, orientation)
        } else {
            copyRows(into: result, upsideDown: orientation.mirrorsY)
            if orientation.mirrorsX { result.mirrorRows(columns: width, rows: height) }
        }
        return result
    }

    private func copyRows(into result: Plane, upsideDown: Bool) {
        withUnsafeSamples { from in
            result.withUnsafeSamples { to in
                for y in 0..<height {
                    let source = upsideDown ? height - 1 - y : y
                    (to + y * result.bytesPerRow).update(from: from + source * bytesPerRow, count: width)
                }
            }
        }
    }

    /// Transposes the plane. Mirrors are applied by walking the rows of the source or of the result backwards. The
    /// result is as wide as this plane is high, and as high as it is wide.
    private func transpose(into result: Plane, _ orientation: Orientation) {
        withUnsafeSamples { from in
            result.withUnsafeSamples { to in
                texel_kernels_in_use().pointee.transpose_plane(
                    orientation.mirrorsY ? to + (result.height - 1) * result.bytesPerRow : to,
                    orientation.mirrorsY ? -result.bytesPerRow : result.bytesPerRow,
                    orientation.mirrorsX ? from + (height - 1) * bytesPerRow : from,
                    orientation.mirrorsX ? -bytesPerRow : bytesPerRow, result.width, result.height)
            }
        }
    }
}
