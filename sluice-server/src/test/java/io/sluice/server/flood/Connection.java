package io.sluice.server.flood;

/** A connection of a hostile client. */
interface Connection extends AutoCloseable {
    /** Sends more bytes without waiting for the server. Returns false if the server has closed the connection. */
    boolean sendMore();

    @Override
    void close();
}
