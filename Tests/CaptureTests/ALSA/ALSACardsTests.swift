import Testing

@testable import Capture

@Suite struct ALSACardsTests {
    private let cards = ALSACards(
        cards: """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0xf7f10000 irq 30
             2 [Device_1       ]: USB-Audio - USB PnP Sound Device
                                  C-Media USB PnP Sound Device at usb-0000:00:14.0-2, full speed

            """,
        pcms: """
            00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
            00-03: HDMI 0 : HDMI 0 : playback 1
            02-00: USB Audio : USB Audio : playback 1 : capture 1

            """,
        links: [
            "/dev/snd/controlC2": DeviceLinks(links: ["/dev/snd/by-id/usb-C-Media_USB_PnP-00"])
        ])

    @Test("only PCMs that record are listed, under udev's name of their card or else its id")
    func listing() {
        #expect(
            cards.captureDevices.map(\.id) == [
                "alsa:hw:CARD=PCH,DEV=0", "alsa:by-id:usb-C-Media_USB_PnP-00,DEV=0",
            ])
        #expect(cards.captureDevices.map(\.pcmName) == ["hw:0,0", "hw:2,0"])
        #expect(
            cards.captureDevices.map(\.name) == [
                "HDA Intel PCH ALC257 Analog", "USB PnP Sound Device USB Audio",
            ])
        #expect(cards.captureDevices.first?.card.driver == "HDA-Intel")
    }

    @Test(
        "a card is found by number, id, identity and udev's link",
        arguments: [
            "hw:2,0", "hw:Device_1,0", "hw:CARD=Device_1,DEV=0", "hw:CARD=Device_1",
            "by-id/usb-C-Media_USB_PnP-00", "by-id/usb-C-Media_USB_PnP-00,0",
            "by-id:usb-C-Media_USB_PnP-00", "by-id:usb-C-Media_USB_PnP-00,DEV=0",
            "/dev/snd/by-id/usb-C-Media_USB_PnP-00",
        ])
    func words(_ name: String) {
        #expect(cards.device(named: name)?.pcmName == "hw:2,0")
    }

    @Test("a card that is not there, or does not record, is not found")
    func absent() {
        #expect(cards.device(named: "hw:1,0") == nil)
        #expect(cards.device(named: "hw:0,3") == nil)
        #expect(cards.device(named: "") == nil)
    }

    @Test("text that is no listing gives no cards", arguments: ["", "--- no soundcards ---", "]["])
    func nonsense(_ text: String) {
        let none = ALSACards(cards: text, pcms: text)
        #expect(none.cards.isEmpty && none.captureDevices.isEmpty)
    }

    @Test("a PCM's name states its card and device in each of ALSA's spellings")
    func names() {
        let cases: [(String, String?, Int)] = [
            ("hw:1,2", "1", 2), ("hw:Loopback,1,0", "Loopback", 1),
            ("plughw:CARD=PCH,DEV=3", "PCH", 3), ("hw:PCH", "PCH", 0), ("default", nil, 0),
            ("dsnoop:1,2", nil, 0),
        ]
        for (text, card, device) in cases {
            let name = ALSADeviceName(text)
            #expect(name.card == card && name.device == device && name.pcmName == text)
        }
    }
}
