import Foundation
import Media

/// Waits until `condition` holds, asking every 20 ms.
/// - Returns: whether it came to hold within `seconds`.
@discardableResult
package func waitUntil(
    atMost seconds: Int64 = 20, _ condition: () throws -> Bool
) rethrows -> Bool {
    let clock = HostClock()
    let deadline = clock.now() + .seconds(seconds)
    while clock.now() < deadline {
        if try condition() { return true }
        usleep(20_000)
    }
    return try condition()
}
