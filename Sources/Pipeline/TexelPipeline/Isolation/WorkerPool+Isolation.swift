extension WorkerPool {
    /// If set, images are decoded in its child processes instead of on the workers.
    public var isolation: Isolation? { processes as? Isolation }

    /// - Parameters:
    ///   - width: how many pieces of work run at the same time; at least 1.
    ///   - byteBudget: the bytes that running work may declare together; work above the budget runs alone.
    ///   - isolation: decodes images in child processes instead of on the workers.
    public convenience init(width: Int, byteBudget: Int, isolation: Isolation?) {
        self.init(width: width, byteBudget: byteBudget, processes: isolation)
    }
}

extension Isolation: DecodingProcesses {}
