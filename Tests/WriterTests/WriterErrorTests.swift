import Testing
import Writer

@Test("a writer error reads as its sentence")
func writerErrorSentence() {
    let error = WriterError(
        code: .diskFull, function: "pwrite", subject: "a.mp4", message: "The disk is full.")
    #expect("\(error)" == "The disk is full.")
}
