internal import CV4L2

/// One V4L2 ioctl: its number and the name errors give it.
struct V4L2Request: Sendable {
    let name: String
    let code: UInt

    static let queryCapabilities = V4L2Request(
        name: "VIDIOC_QUERYCAP", code: vcap_VIDIOC_QUERYCAP)
    static let enumerateFormats = V4L2Request(
        name: "VIDIOC_ENUM_FMT", code: vcap_VIDIOC_ENUM_FMT)
    static let getFormat = V4L2Request(
        name: "VIDIOC_G_FMT", code: vcap_VIDIOC_G_FMT)
    static let setFormat = V4L2Request(
        name: "VIDIOC_S_FMT", code: vcap_VIDIOC_S_FMT)
    static let requestBuffers = V4L2Request(
        name: "VIDIOC_REQBUFS", code: vcap_VIDIOC_REQBUFS)
    static let queryBuffer = V4L2Request(
        name: "VIDIOC_QUERYBUF", code: vcap_VIDIOC_QUERYBUF)
    static let queue = V4L2Request(
        name: "VIDIOC_QBUF", code: vcap_VIDIOC_QBUF)
    static let dequeue = V4L2Request(
        name: "VIDIOC_DQBUF", code: vcap_VIDIOC_DQBUF)
    static let streamOn = V4L2Request(
        name: "VIDIOC_STREAMON", code: vcap_VIDIOC_STREAMON)
    static let streamOff = V4L2Request(
        name: "VIDIOC_STREAMOFF", code: vcap_VIDIOC_STREAMOFF)
    static let setParameters = V4L2Request(
        name: "VIDIOC_S_PARM", code: vcap_VIDIOC_S_PARM)
    static let getParameters = V4L2Request(
        name: "VIDIOC_G_PARM", code: vcap_VIDIOC_G_PARM)
    static let getInput = V4L2Request(
        name: "VIDIOC_G_INPUT", code: vcap_VIDIOC_G_INPUT)
    static let enumerateInputs = V4L2Request(
        name: "VIDIOC_ENUMINPUT", code: vcap_VIDIOC_ENUMINPUT)
    static let queryTimings = V4L2Request(
        name: "VIDIOC_QUERY_DV_TIMINGS", code: vcap_VIDIOC_QUERY_DV_TIMINGS)
    static let getTimings = V4L2Request(
        name: "VIDIOC_G_DV_TIMINGS", code: vcap_VIDIOC_G_DV_TIMINGS)
    static let setTimings = V4L2Request(
        name: "VIDIOC_S_DV_TIMINGS", code: vcap_VIDIOC_S_DV_TIMINGS)
    static let setPriority = V4L2Request(
        name: "VIDIOC_S_PRIORITY", code: vcap_VIDIOC_S_PRIORITY)
    static let queryControl = V4L2Request(
        name: "VIDIOC_QUERY_EXT_CTRL", code: vcap_VIDIOC_QUERY_EXT_CTRL)
    static let queryMenu = V4L2Request(
        name: "VIDIOC_QUERYMENU", code: vcap_VIDIOC_QUERYMENU)
    static let getControls = V4L2Request(
        name: "VIDIOC_G_EXT_CTRLS", code: vcap_VIDIOC_G_EXT_CTRLS)
    static let setControls = V4L2Request(
        name: "VIDIOC_S_EXT_CTRLS", code: vcap_VIDIOC_S_EXT_CTRLS)
    static let enumerateSizes = V4L2Request(
        name: "VIDIOC_ENUM_FRAMESIZES", code: vcap_VIDIOC_ENUM_FRAMESIZES)
    static let enumerateIntervals = V4L2Request(
        name: "VIDIOC_ENUM_FRAMEINTERVALS", code: vcap_VIDIOC_ENUM_FRAMEINTERVALS)
    static let subscribe = V4L2Request(
        name: "VIDIOC_SUBSCRIBE_EVENT", code: vcap_VIDIOC_SUBSCRIBE_EVENT)
    static let dequeueEvent = V4L2Request(
        name: "VIDIOC_DQEVENT", code: vcap_VIDIOC_DQEVENT)
}
