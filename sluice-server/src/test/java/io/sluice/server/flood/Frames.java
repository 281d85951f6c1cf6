package io.sluice.server.flood;

import io.sluice.server.wire.Http2Frames;

/** Sends frames of HTTP/2 and never reads. */
abstract class Frames extends Bytes {
    private final Http2Frames frames = new Http2Frames().open();
    private int stream = -1;

    Frames(Victim victim) {
        super(victim.http, true);
    }

    /** The number of the next stream. */
    int stream() {
        stream += 2;
        return stream;
    }

    /** Puts together what to send next. */
    abstract void next(Http2Frames frames);

    @Override
    byte[] next() {
        next(frames);
        return frames.take();
    }
}
