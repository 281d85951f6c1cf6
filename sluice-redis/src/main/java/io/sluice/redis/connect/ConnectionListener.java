package io.sluice.redis.connect;

/** Hears about the state of a {@link Connection}. */
public interface ConnectionListener {
    /** A connection is open, perhaps to another server than before. */
    void connected();

    /** The connection is lost. Redis will not answer the calls that were sent on it. */
    void disconnected();

    /** Redis has refused an attempt to connect. */
    void connectFailed();
}
