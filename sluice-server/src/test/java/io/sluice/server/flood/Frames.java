package io.sluice.server.flood;

import io.sluice.server.wire.Http2Frames;

/** Sends HTTP/2 frames and never reads. */
abstract class Frames extends Bytes {
    private final Http2Frames frames = new Http2Frames().open();
    private int stream = -1;

    Frames(ServerProcess victim) {
        super(victim.http, true);
    }

    /** The id of the next stream. */
    int stream() {
        stream += 2;
        return stream;
    }

    /** Builds the frames to send next. */
    abstract void next(Http2Frames frames);

    @Override
    byte[] next() {
        next(frames);
        return frames.take();
    }
}
