/// udev's links to sound cards: names that follow the hardware or its port, not the plugging order.
enum SoundLinks {
    /// `by-id/…` where udev knows a serial or product, else `by-path/…`, for each card number.
    static func byCard(root: String = "/dev/snd") -> [Int: String] {
        var links: [Int: String] = [:]
        for folder in ["by-path", "by-id"] {  // the later one wins
            for name in DeviceNodeAccess.entries(of: "\(root)/\(folder)") {
                guard
                    let target = DeviceNodeAccess.destination(of: "\(root)/\(folder)/\(name)"),
                    let number = target.firstRange(of: "controlC")
                        .flatMap({ Int(target[$0.upperBound...]) })
                else { continue }
                links[number] = "\(folder)/\(name)"
            }
        }
        return links
    }
}
