/// A timeline as another program would write it.
enum OpenTimelineExamples {
    static let foreign = """
        {
          "OTIO_SCHEMA": "Timeline.1", "name": "from elsewhere", "metadata": {},
          "tracks": {
            "OTIO_SCHEMA": "Stack.1", "markers": [],
            "children": [
              { "OTIO_SCHEMA": "Track.1", "kind": "Video", "name": "V1",
                "markers": [{ "OTIO_SCHEMA": "Marker.2", "name": "here", "marked_range": {
                  "start_time": { "value": 60, "rate": 30 }, "duration": { "value": 0, "rate": 30 } } }],
                "children": [
                  { "OTIO_SCHEMA": "Clip.2", "name": "shot 1", "effects": [
                      { "OTIO_SCHEMA": "Effect.1", "effect_name": "Blur" }],
                    "source_range": { "start_time": { "value": 30, "rate": 30 },
                      "duration": { "value": 60, "rate": 30 } },
                    "active_media_reference_key": "HI",
                    "media_references": { "HI": {
                      "OTIO_SCHEMA": "ExternalReference.1", "target_url": "media/a.mp4" } } },
                  { "OTIO_SCHEMA": "Gap.1",
                    "source_range": { "start_time": { "value": 0, "rate": 24 },
                      "duration": { "value": 24, "rate": 24 } } },
                  { "OTIO_SCHEMA": "Clip.1", "name": "b.mp4",
                    "source_range": {
                      "start_time": { "value": 1, "rate": 29.97 },
                      "duration": { "value": 30, "rate": 29.97 } },
                    "media_reference": {
                      "OTIO_SCHEMA": "ExternalReference.1",
                      "available_range": null, "metadata": {}, "name": "",
                      "target_url":
                           "b.mp4" } },
                  { "OTIO_SCHEMA": "Stack.1", "children": [] }
                ] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Video", "name": "V2", "children": [] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Audio", "name": "A1", "children": [
                  { "OTIO_SCHEMA": "Clip.1", "name": "linked", "media_reference": {
                      "OTIO_SCHEMA": "ExternalReference.1", "target_url": "media/a.mp4" },
                    "source_range": { "start_time": { "value": 30, "rate": 30 },
                      "duration": { "value": 60, "rate": 30 } } },
                  { "OTIO_SCHEMA": "Clip.1", "name": "voice.wav", "media_reference": {
                      "OTIO_SCHEMA": "ExternalReference.1", "target_url": "voice.wav" },
                    "source_range": { "start_time": { "value": 0, "rate": 48000 },
                      "duration": { "value": 192000, "rate": 48000 } } }
                ] }
            ]
          }
        }
        """
}
