import ArgumentParser

extension CommandConfiguration {
    /// The configuration of a command below ``TexelCommand``.
    ///
    /// It names `texel` as the command above it, because the program parses such a command alone: the parser then does
    /// not prepare two commands of its own for completion scripts, which takes as long as parsing most commands.
    /// Completion scripts are requested from ``TexelCommand``.
    init(texelCommand name: String, abstract: String, discussion: String = "") {
        self.init(commandName: name, _superCommandName: "texel", abstract: abstract, discussion: discussion)
    }
}
