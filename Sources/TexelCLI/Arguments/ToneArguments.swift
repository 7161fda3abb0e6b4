import ArgumentParser
import Texel

/// The points of a curve in the form `0,0 128,150 255,255`.
struct CurveArgument: ExpressibleByArgument {
    let points: [CurvePoint]

    init?(argument: String) {
        var points: [CurvePoint] = []
        for pair in argument.split(separator: " ") {
            let numbers = pair.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let input = numbers[0], let output = numbers[1],
                (0...255).contains(input), (0...255).contains(output), input > points.last?.input ?? -1
            else { return nil }
            points.append(CurvePoint(input, output))
        }
        if points.isEmpty { return nil }
        self.points = points
    }
}

/// The path of a `.cube` file, which is read at once.
struct LUTArgument: ExpressibleByArgument {
    /// Why there is no table.
    struct Fault: Error {
        let message: String
    }

    /// Larger files are rejected.
    private static let byteLimit = 256 << 20

    let table: Result<ColorLUT, Fault>

    init?(argument: String) {
        if argument.isEmpty { return nil }
        table = Result { () throws(Fault) in try Self.table(argument) }
    }

    private static func table(_ path: String) throws(Fault) -> ColorLUT {
        let text: String
        do throws(TextFile.Fault) {
            text = try TextFile.contents(of: path, byteLimit: byteLimit)
        } catch {
            throw Fault(message: "\(path): \(error.message)")
        }
        do throws(ColorLUTError) {
            return try ColorLUT(cubeText: text)
        } catch {
            throw Fault(message: "\(path): \(error)")
        }
    }
}
