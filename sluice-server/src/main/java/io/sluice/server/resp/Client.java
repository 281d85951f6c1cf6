package io.sluice.server.resp;

import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What is known of who is connected. */
final class Client {
    final long id;
    final String host;
    final String address;
    final String local;
    private final boolean needsPassword;
    private boolean authenticated;
    private int protocol = 2;
    private String name = "";

    Client(long id, @Nullable SocketAddress remote, String local, boolean needsPassword) {
        this.id = id;
        this.address = RespConnections.shown(remote);
        String host = remote == null ? null : remote.hostAddress();
        this.host = host == null ? address : host;
        this.local = local;
        this.needsPassword = needsPassword;
        reset();
    }

    /** As if it had just connected. */
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

    /** @throws CommandException if it would not fit a line of {@code CLIENT LIST} */
    void name(String name) throws CommandException {
        if (name.chars().anyMatch(c -> c < '!' || c > '~')) {
            throw new CommandException("ERR Client names cannot contain spaces, newlines or special characters.");
        }
        this.name = name;
    }

    /** As a line of {@code CLIENT LIST}. */
    String line() {
        return "id=" + id + " addr=" + address + " laddr=" + local + " name=" + name + " db=0 user=default resp="
                + protocol + "\n";
    }
}
