import Media
import Testing

@testable import Compose

@Suite struct AudioMixTests {
    private func refusal(_ input: AudioMixInput) -> String {
        do { try AudioMix(inputs: [input]).validate() } catch { return error.message }
        return "nothing was refused"
    }

    @Test func aTrackWithoutInputSoundsAsRecorded() {
        #expect(AudioMix().input(forTrack: 3).gain(at: .seconds(1)) == 1)
    }

    @Test func rampsAreLinearOrOfEqualPowerAndHoldOutside() {
        let input = AudioMixInput(
            trackID: 1, volume: 0.5,
            volumeRamps: [
                VolumeRamp(timeRange: .seconds(1, 2), from: 0, to: 1),
                VolumeRamp(timeRange: .seconds(4, 1), from: 1, to: 0.5),
            ])
        let gains = [0, 1000, 1500, 3000, 3500, 4500, 6000].map {
            input.gain(at: .milliseconds($0))
        }
        #expect(gains == [0, 0, 0.125, 0.5, 0.5, 0.375, 0.25])
        let rising = VolumeRamp(timeRange: .seconds(0, 1), from: 0, to: 1, shape: .equalPower)
        let falling = VolumeRamp(timeRange: .seconds(0, 1), from: 1, to: 0, shape: .equalPower)
        for step in 0...100 {
            let (a, b) = (
                rising.volume(progress: Double(step) / 100),
                falling.volume(progress: Double(step) / 100)
            )
            #expect((a * a + b * b - 1).magnitude < 1e-12)
        }
        #expect(rising.volume(progress: 0) == 0)
        #expect(rising.volume(progress: 1) == 1)
    }

    @Test func valuesOutOfTheirRangeAreNamed() {
        #expect(
            refusal(AudioMixInput(trackID: 2, volume: -1))
                == "the volume of track 2 is -1.0; it can be 0 to 16")
        #expect(
            refusal(AudioMixInput(trackID: 2, pan: .nan))
                == "the pan of track 2 is nan; it can be -1 to 1")
        let ramp = VolumeRamp(timeRange: .seconds(3, 1), from: 1, to: 17)
        #expect(
            refusal(AudioMixInput(trackID: 2, volumeRamps: [ramp]))
                == "the volume ramp of track 2 at 3 s goes from 1.0 to 17.0; a volume can be 0 to 16"
        )
        let late = VolumeRamp(timeRange: .seconds(1, 3), from: 1, to: 1)
        #expect(
            refusal(AudioMixInput(trackID: 2, volumeRamps: [late, ramp]))
                == "two volume ramps of track 2 overlap at 3 s: one lasts until 4 s; ramps must be in "
                + "order of time")
        #expect(throws: MediaError.self) {
            try AudioMix(inputs: [AudioMixInput(trackID: 1), AudioMixInput(trackID: 1)]).validate()
        }
    }
}
