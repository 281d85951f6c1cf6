package io.sluice.cli.serve;

import io.sluice.server.ServerConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The generated admin token of a server that was started without one and listens on loopback only.
 *
 * @param config the configuration of the server, with the admin token
 * @param shown the token if it was generated; it is printed once
 */
record GeneratedAdminToken(ServerConfig config, @Nullable String shown) {
    private static final int BYTES = 32;

    static GeneratedAdminToken ifNeeded(ServerConfig config) {
        if (config.adminToken() != null || !isLoopback(config.host())) {
            return new GeneratedAdminToken(config, null);
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new GeneratedAdminToken(config.toBuilder().adminToken(token).build(), token);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
