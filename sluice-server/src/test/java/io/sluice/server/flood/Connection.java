package io.sluice.server.flood;

/** A connection of a hostile client. */
interface Connection extends AutoCloseable {
    /** Sends some more without waiting for the server. Returns false when the server has closed it. */
    boolean sendMore();

    @Override
    void close();
}
