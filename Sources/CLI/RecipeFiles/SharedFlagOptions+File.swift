import SystemPackage
import Texel

extension SharedFlagOptions {
    /// Reads the file that is named, or the one in the working directory.
    ///
    /// - Returns: `nil` if there is none, or if recipe files are to be ignored.
    func recipeFile() throws(RecipeFile.Fault) -> RecipeFile? {
        if noRecipe { return nil }
        if let recipe { return try RecipeFile(path: recipe) }
        let name = RecipeFile.defaultName
        // A pipe of this name was not named by the user, and might never end.
        return FilePath(name).isRegularFile ? try RecipeFile(path: name) : nil
    }
}
