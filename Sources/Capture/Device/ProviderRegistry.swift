/// The families of devices this build knows, in the order they are listed and asked.
enum ProviderRegistry {
    static let standard: [any DeviceProvider] = [
        V4L2Provider.standard, PulseProvider(), ALSAProvider(), TestProvider.standard,
        FileProvider.standard,
    ]
}
