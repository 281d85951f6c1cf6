package io.sluice.cli.serve;

import io.sluice.server.Endpoint;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;

/** What is said to who starts a server by hand: where it listens, and what to try. */
final class Banner {
    private Banner() {}

    static String of(SluiceServer server, GeneratedAdminToken token) {
        ServerConfig config = token.config();
        StringBuilder text = new StringBuilder();
        server.endpoints()
                .forEach(endpoint ->
                        text.append("listening on ").append(endpoint).append('\n'));
        if (token.shown() != null) {
            text.append("admin token, made for this run: ")
                    .append(token.shown())
                    .append('\n');
        }
        if (config.policies() == null && config.envoyConfig() == null && config.redis() == null) {
            text.append(tries(server.endpoints().get(0), config.openMetrics()));
        }
        return text.toString();
    }

    /** Lines that can be copied. The second one denies when it is sent again, by the sample's policy for logins. */
    private static String tries(Endpoint http, boolean metricsAreOpen) {
        String curl = "  curl -s" + (http.scheme().equals("https") ? "k " : " ");
        String check = curl + http.uri() + "/v1/check -d ";
        String third = metricsAreOpen ? "/metrics" : "/readyz";
        return "It counts in memory, by a sample policy. Try:\n"
                + check + "'{\"attributes\":{\"tenant\":\"acme\"}}'\n"
                + check
                + "'{\"attributes\":{\"path\":\"/login\",\"method\":\"POST\",\"ip\":\"203.0.113.9\"},\"permits\":5}'\n"
                + curl + http.uri() + third + "\n";
    }
}
