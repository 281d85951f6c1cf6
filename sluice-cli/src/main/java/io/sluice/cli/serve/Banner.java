package io.sluice.cli.serve;

import io.sluice.server.DashboardAccess;
import io.sluice.server.Endpoint;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;

/** The message after the start of a server: its addresses, the generated admin token, and examples to try. */
final class Banner {
    private Banner() {}

    static String of(SluiceServer server, GeneratedAdminToken token) {
        ServerConfig config = token.config();
        StringBuilder text = new StringBuilder();
        server.endpoints()
                .forEach(endpoint ->
                        text.append("listening on ").append(endpoint).append('\n'));
        if (config.dashboard() != DashboardAccess.OFF) {
            text.append("dashboard at ").append(server.endpoints().get(0).uri()).append("/\n");
        }
        if (token.shown() != null) {
            text.append("admin token, generated for this run: ")
                    .append(token.shown())
                    .append('\n');
        }
        if (config.policies() == null && config.envoyConfig() == null && config.redis() == null) {
            text.append(examples(server.endpoints().get(0), config.openMetrics()));
        }
        return text.toString();
    }

    /** Commands to copy. The second command is denied when it is sent again, by the login policy of the sample. */
    private static String examples(Endpoint http, boolean metricsAreOpen) {
        String curl = "  curl -s" + (http.scheme().equals("https") ? "k " : " ");
        String check = curl + http.uri() + "/v1/check -d ";
        String path = metricsAreOpen ? "/metrics" : "/readyz";
        return "The state is in memory, and a sample policy is in force. Try:\n"
                + check + "'{\"attributes\":{\"tenant\":\"acme\"}}'\n"
                + check
                + "'{\"attributes\":{\"path\":\"/login\",\"method\":\"POST\",\"ip\":\"203.0.113.9\"},\"permits\":5}'\n"
                + curl + http.uri() + path + "\n";
    }
}
