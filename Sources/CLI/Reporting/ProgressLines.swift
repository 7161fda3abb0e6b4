import Texel

/// Prints the progress of a batch on standard error, as one line of JSON for each event.
@Reporting final class ProgressLines {
    private var count = 0
    private var summary = BatchSummary()

    nonisolated init() {}

    func follow(_ listener: BroadcastListener<BatchEvent>) async {
        for await event in listener {
            if case .queued(let items) = event { count = items.count }
            if let (_, result) = event.ending { summary.add(result) }
            Console.write(JSONLine.text(of: Line(event, summary, count)) + "\n", to: .error)
        }
    }

    /// One line. `event`, `index`, `input`, `inputBase64`, `done`, `total`, `inputBytes` and `outputBytes` are always
    /// present; the other keys depend on the event.
    private struct Line: Encodable {
        private let event: BatchEvent
        private let summary: BatchSummary
        private let count: Int

        init(_ event: BatchEvent, _ summary: BatchSummary, _ count: Int) {
            self.event = event
            self.summary = summary
            self.count = count
        }

        private enum Key: String, CodingKey {
            case event, index, input, inputBase64, done, total, inputBytes, outputBytes
            case rowsDone, rowCount
            case status, output, outputBase64, error, milliseconds
            case written, skipped, failed, cancelled, otherFiles
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(name, forKey: .event)
            try object.encode(event.item?.index, forKey: .index)
            try object.encode(event.item?.name, forKey: .input)
            try object.encode(event.item?.input.base64UnlessText, forKey: .inputBase64)
            try object.encode(summary.doneCount, forKey: .done)
            try object.encode(count, forKey: .total)
            try object.encode(summary.inputBytes, forKey: .inputBytes)
            try object.encode(summary.outputBytes, forKey: .outputBytes)
            switch event {
            case .queued, .started, .cancelled: break
            case .progress(_, let rows):
                try object.encode(rows.rowsDone, forKey: .rowsDone)
                try object.encode(rows.rowCount, forKey: .rowCount)
            case .finished(_, let result):
                try object.encode(result.status.rawValue, forKey: .status)
                try object.encode(result.output?.string, forKey: .output)
                try object.encode(result.output?.base64UnlessText, forKey: .outputBase64)
                try object.encode(JSONLine.milliseconds(result.duration), forKey: .milliseconds)
            case .failed(_, let result):
                try object.encode(result.error.map { ErrorText.sentence($0) }, forKey: .error)
                try object.encode(JSONLine.milliseconds(result.duration), forKey: .milliseconds)
            case .ended(let summary):
                try object.encode(summary.writtenCount, forKey: .written)
                try object.encode(summary.skippedCount, forKey: .skipped)
                try object.encode(summary.failedCount, forKey: .failed)
                try object.encode(summary.cancelledCount, forKey: .cancelled)
                try object.encode(summary.otherFileCount, forKey: .otherFiles)
                try object.encode(JSONLine.milliseconds(summary.duration), forKey: .milliseconds)
            }
        }

        private var name: String {
            switch event {
            case .queued: "queued"
            case .started: "started"
            case .progress: "progress"
            case .finished: "finished"
            case .failed: "failed"
            case .cancelled: "cancelled"
            case .ended: "ended"
            }
        }
    }
}
