import Foundation
import TestSupport

/// A model of a matte: a convolution of one pixel, and what its values become.
struct TinyModel {
    var width: Int? = 32
    var height: Int? = 24
    /// Of each channel of the output: factors of red, green and blue, and what is added.
    var channels: [[Float]] = [[20, -20, 0, -5]]
    /// `nil`: nothing behind the convolution.
    var last: String? = "Sigmoid"
    /// Whether the weights are said to lie in another file.
    var isElsewhere = false

    var bytes: Data {
        var model = ONNXModel(opset: 11)
        let size = [height, width]
        model.input("x", [1, 3] + size)
        model.layer("Conv", ["x", "w", "b"], "y", ["kernel_shape": .integers([1, 1])])
        if let last { model.layer(last, ["y"], "z") }
        model.tensor(
            "w", [channels.count, 3, 1, 1], channels.flatMap { $0.prefix(3) },
            isElsewhere: isElsewhere)
        model.tensor("b", [channels.count], channels.map { $0[3] }, isElsewhere: isElsewhere)
        model.output(last == nil ? "y" : "z", [1, channels.count] + size)
        return model.bytes
    }
}
