package io.sluice.server.resp;

import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The client of a connection: its address, and its state after HELLO, AUTH and CLIENT. */
final class ClientInfo {
    final long id;
    final String host;
    final String address;
    final String localAddress;
    private final boolean needsPassword;
    private boolean authenticated;
    private int protocol = 2;
    private String name = "";

    ClientInfo(long id, @Nullable SocketAddress remote, String localAddress, boolean needsPassword) {
        this.id = id;
        this.address = RespConnections.display(remote);
        String host = remote == null ? null : remote.hostAddress();
        this.host = host == null ? address : host;
        this.localAddress = localAddress;
        this.needsPassword = needsPassword;
        reset();
    }

    /** Returns to the state of a new connection. */
    void reset() {
        authenticated = !needsPassword;
        protocol = 2;
        name = "";
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    void authenticate() {
        authenticated = true;
    }

    int protocol() {
        return protocol;
    }

    void protocol(int version) {
        protocol = version;
    }

    String name() {
        return name;
    }

    /** @throws CommandException if the name does not fit a line of {@code CLIENT LIST} */
    void name(String name) throws CommandException {
        if (name.chars().anyMatch(c -> c < '!' || c > '~')) {
            throw new CommandException("ERR Client names cannot contain spaces, newlines or special characters.");
        }
        this.name = name;
    }

    /** A line of {@code CLIENT LIST}. */
    String listLine() {
        return "id=" + id + " addr=" + address + " laddr=" + localAddress + " name=" + name + " db=0 user=default resp="
                + protocol + "\n";
    }
}
