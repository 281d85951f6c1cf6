package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stream of decision counts. */
class DecisionEventsTest {
    /** HTTP/1, because this HTTP/2 client drops its streams when the server accepts no new ones. */
    private static final HttpClient HTTP_1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Stream<String> listen(AdminClient client) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer =
                HTTP_1.send(client.request("/v1/events").build(), BodyHandlers.ofLines());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return answer.body();
    }

    private static JsonObject nextEvent(Iterator<String> lines) {
        String line = lines.next();
        while (!line.startsWith("event:")) {
            line = lines.next();
        }
        assertThat(line).isEqualTo("event: decisions");
        String data = lines.next();
        assertThat(data).startsWith("data: ");
        assertThat(lines.next()).isEmpty();
        return new JsonObject(data.substring("data: ".length()));
    }

    @Test
    void events_countTheDecisionsOfEachSecondByPolicy() throws Exception {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build())) {
            AdminClient client = new AdminClient(server.port());
            String check = "{\"attributes\":{\"tenant\":\"a\"},\"permits\":15}";
            client.post("/v1/check", check);
            try (Stream<String> stream = listen(client)) {
                Iterator<String> lines = stream.iterator();
                client.post("/v1/check", check);
                client.post("/v1/check", check);
                long denied = 0;
                long allowed = 0;
                while (denied + allowed < 2) {
                    JsonObject event = nextEvent(lines);
                    assertThat(event.getInstant("time")).isNotNull();
                    JsonObject policies = event.getJsonObject("policies");
                    assertThat(policies.fieldNames()).containsExactly("everything", "login", "per-tenant");
                    denied += policies.getJsonObject("per-tenant").getLong("denied");
                    allowed += policies.getJsonObject("per-tenant").getLong("allowed");
                    assertThat(event.getJsonObject("total").getLong("denied"))
                            .isEqualTo(policies.getJsonObject("per-tenant").getLong("denied"));
                }
                assertThat(denied + allowed).as("not the one before").isEqualTo(2);
                assertThat(denied).isPositive();
                JsonObject quiet = nextEvent(lines);
                assertThat(quiet.getJsonObject("total").encode())
                        .isEqualTo("{\"allowed\":0,\"denied\":0,\"shadow_denied\":0,\"degraded\":0}");
            }
        }
    }

    @Test
    void events_whenTheServerStops_end() throws Exception {
        SluiceServer server = SluiceServer.start(AdminClient.config().build());
        try (Stream<String> stream = listen(new AdminClient(server.port()))) {
            Iterator<String> lines = stream.iterator();
            assertThat(lines.next()).startsWith("retry:");
            server.close();
            // Fails unless the stream ends cleanly.
            lines.forEachRemaining(line -> assertThat(line).isNotNull());
        } finally {
            server.close();
        }
    }

    @Test
    void events_forTooManyListeners_is503_untilOneLeaves() throws Exception {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build())) {
            AdminClient client = new AdminClient(server.port());
            HttpClient http =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            InputStream[] streams = new InputStream[100];
            for (int i = 0; i < streams.length; i++) {
                streams[i] = http.send(client.request("/v1/events").build(), BodyHandlers.ofInputStream())
                        .body();
            }
            HttpResponse<String> refused = client.get("/v1/events");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(AdminClient.problem(refused)).contains("too many listeners (expected: at most 100)");
            streams[0].close();
            Eventually.await("there is room again", () -> {
                try (InputStream stream = http.send(client.request("/v1/events").build(), BodyHandlers.ofInputStream())
                        .body()) {
                    return stream.read() == 'r';
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            for (InputStream stream : streams) {
                stream.close();
            }
        }
    }
}
