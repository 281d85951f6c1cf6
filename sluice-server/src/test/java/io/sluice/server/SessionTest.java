package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signing in to the dashboard. */
class SessionTest {
    private static final String RIGHT = "{\"token\":\"" + AdminClient.TOKEN + "\"}";
    private static final String RESET = "{\"attributes\":{\"tenant\":\"a\"}}";

    private static SluiceServer server;
    private static AdminClient client;

    @BeforeAll
    static void start() {
        server = SluiceServer.start(AdminClient.config().build());
        client = new AdminClient(server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpRequest.Builder byPage(AdminClient client, String path) {
        return client.anonymous(path).header("Sluice-Csrf", "1").header("Sec-Fetch-Site", "same-origin");
    }

    private static HttpResponse<String> signIn(AdminClient client, String body) {
        return client.send(byPage(client, "/v1/session").POST(BodyPublishers.ofString(body)));
    }

    /** The cookie as a browser sends it back. */
    private static String cookie(HttpResponse<?> response) {
        String sent = response.headers().firstValue("Set-Cookie").orElseThrow();
        return sent.substring(0, sent.indexOf(';'));
    }

    private static JsonObject session(AdminClient client, String cookie) {
        return new JsonObject(client.send(client.anonymous("/v1/session").header("Cookie", cookie))
                .body());
    }

    @Test
    void visitor_mayNothing_andIsToldHowToSignIn() {
        JsonObject session =
                new JsonObject(client.send(client.anonymous("/v1/session")).body());

        assertThat(session.getMap())
                .containsEntry("signed_in", false)
                .containsEntry("may_read", false)
                .containsEntry("may_write", false)
                .containsEntry("sign_in", "token")
                .containsEntry("help", null);
    }

    @Test
    void rightToken_startsASession_thatMayDoEverything() {
        HttpResponse<String> response = signIn(client, RIGHT);
        String sent = response.headers().firstValue("Set-Cookie").orElseThrow();
        String cookie = cookie(response);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(sent)
                .contains("; HttpOnly")
                .containsIgnoringCase("SameSite=Strict")
                .containsIgnoringCase("Path=/")
                .containsIgnoringCase("Max-Age=43200")
                .doesNotContainIgnoringCase("Secure")
                .doesNotContain(AdminClient.TOKEN);
        assertThat(response.body()).doesNotContain(AdminClient.TOKEN);
        assertThat(session(client, cookie).getMap())
                .containsEntry("signed_in", true)
                .containsEntry("may_read", true)
                .containsEntry("may_write", true);
        assertThat(client.send(client.anonymous("/v1/policies").header("Cookie", cookie))
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.send(byPage(client, "/v1/reset")
                                .header("Cookie", cookie)
                                .POST(BodyPublishers.ofString(RESET)))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void cookie_behindAProxyWithTls_isSecure() {
        HttpResponse<String> response = client.send(byPage(client, "/v1/session")
                .header("Origin", "https://sluice.example")
                .POST(BodyPublishers.ofString(RIGHT)));

        assertThat(response.headers().firstValue("Set-Cookie").orElseThrow()).containsIgnoringCase("; Secure");
    }

    @Test
    void change_byCookie_withoutTheProofOfTheOrigin_is403() {
        String cookie = cookie(signIn(client, RIGHT));
        String own = "http://127.0.0.1:" + server.port();
        List<List<String>> forged = List.of(
                List.of(),
                List.of("Sluice-Csrf", "1"),
                List.of("Sec-Fetch-Site", "same-origin"),
                List.of("Origin", own),
                List.of("Sluice-Csrf", "0", "Sec-Fetch-Site", "same-origin"),
                List.of("Sluice-Csrf", "1", "Sec-Fetch-Site", "cross-site"),
                List.of("Sluice-Csrf", "1", "Sec-Fetch-Site", "same-site", "Origin", own),
                List.of("Sluice-Csrf", "1", "Sec-Fetch-Site", "none"),
                List.of("Sluice-Csrf", "1", "Origin", "null"),
                List.of("Sluice-Csrf", "1", "Origin", "http://evil.example"),
                List.of("Sluice-Csrf", "1", "Origin", "http://127.0.0.1"),
                List.of("Sluice-Csrf", "1", "Origin", "ftp://127.0.0.1:" + server.port()),
                List.of("Sluice-Csrf", "1", "Origin", own + "@evil.example"),
                List.of("Sluice-Csrf", "1", "Origin", "http:// "));
        for (List<String> headers : forged) {
            HttpRequest.Builder request =
                    client.anonymous("/v1/reset").header("Cookie", cookie).POST(BodyPublishers.ofString(RESET));
            for (int i = 0; i < headers.size(); i += 2) {
                request.header(headers.get(i), headers.get(i + 1));
            }
            HttpResponse<String> response = client.send(request);
            assertThat(response.statusCode()).as("%s", headers).isEqualTo(403);
            assertThat(AdminClient.problem(response)).contains("expected: Sluice-Csrf: 1");
        }
        HttpResponse<String> older = client.send(client.anonymous("/v1/reset")
                .header("Cookie", cookie)
                .header("Sluice-Csrf", "1")
                .header("Origin", own.toUpperCase(Locale.ROOT).replace("HTTP", "http"))
                .POST(BodyPublishers.ofString(RESET)));
        assertThat(older.statusCode()).isEqualTo(200);
    }

    @Test
    void signIn_fromAnotherSite_is403() {
        HttpResponse<String> response =
                client.send(client.anonymous("/v1/session").POST(BodyPublishers.ofString(RIGHT)));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void wrongToken_startsNoSession_andManyAreDelayedOrRefused() {
        try (SluiceServer other = SluiceServer.start(AdminClient.config().build())) {
            AdminClient guesser = new AdminClient(other.port());
            HttpResponse<String> first = signIn(guesser, "{\"token\":\"guess\"}");
            assertThat(first.statusCode()).isEqualTo(401);
            assertThat(first.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(AdminClient.problem(first)).contains("not the admin token");

            var all = java.util.stream.IntStream.range(0, 40)
                    .mapToObj(i -> guesser.sendAsync(byPage(guesser, "/v1/session")
                            .POST(BodyPublishers.ofString("{\"token\":\"guess" + i + "\"}"))))
                    .toList();
            List<Integer> statuses =
                    all.stream().map(each -> each.join().statusCode()).toList();
            assertThat(statuses).contains(429).doesNotContain(200);
        }
    }

    @Test
    void badSignIn_is400_andDoesNotRepeatTheToken() {
        for (String body : List.of("", "[]", "{}", "{\"token\":7}", "{\"token\":\"open", "{\"tokens\":\"secret\"}")) {
            HttpResponse<String> response = signIn(client, body);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(AdminClient.problem(response)).isEqualTo("not a sign-in (expected: {\"token\":\"...\"})");
        }
    }

    @Test
    void signOut_endsTheSession_alsoForACopyOfItsCookie() {
        String cookie = cookie(signIn(client, RIGHT));
        HttpResponse<String> response = client.send(
                byPage(client, "/v1/session").header("Cookie", cookie).DELETE());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Set-Cookie").orElseThrow()).containsIgnoringCase("Max-Age=0");
        assertThat(session(client, cookie).getBoolean("signed_in")).isFalse();
        assertThat(client.send(client.anonymous("/v1/policies").header("Cookie", cookie))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void session_isGoodOnEveryReplicaWithTheSameToken_andOnNoOther() {
        String cookie = cookie(signIn(client, RIGHT));
        try (SluiceServer replica = SluiceServer.start(AdminClient.config().build());
                SluiceServer stranger = SluiceServer.start(
                        AdminClient.config().adminToken("another token").build())) {
            assertThat(session(new AdminClient(replica.port()), cookie).getBoolean("signed_in"))
                    .isTrue();
            assertThat(session(new AdminClient(stranger.port()), cookie).getBoolean("signed_in"))
                    .isFalse();
        }
    }

    @Test
    void changedCookie_isNoSession() {
        String cookie = cookie(signIn(client, RIGHT));
        for (int i = cookie.indexOf('=') + 1; i < cookie.length(); i++) {
            String changed = cookie.substring(0, i) + (cookie.charAt(i) == 'A' ? 'Z' : 'A') + cookie.substring(i + 1);
            assertThat(session(client, changed).getBoolean("signed_in"))
                    .as(changed)
                    .isFalse();
        }
        for (String bad : List.of("", "=", "!!", "AAAA", "A".repeat(8000))) {
            assertThat(session(client, cookie.substring(0, cookie.indexOf('=') + 1) + bad)
                            .getBoolean("signed_in"))
                    .isFalse();
        }
    }

    @Test
    void readOnly_everybodyLooks_andOnlyASessionChanges() {
        try (SluiceServer open = SluiceServer.start(
                AdminClient.config().dashboard(DashboardAccess.READ_ONLY).build())) {
            AdminClient visitor = new AdminClient(open.port());
            assertThat(session(visitor, "x=y").getMap())
                    .containsEntry("may_read", true)
                    .containsEntry("may_write", false)
                    .containsEntry("signed_in", false);
            for (String path : List.of("/v1/policies", "/v1/policies/history", "/v1/top")) {
                assertThat(visitor.send(visitor.anonymous(path)).statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
            for (String path : List.of("/v1/inspect", "/v1/explain")) {
                assertThat(visitor.send(visitor.anonymous(path).POST(BodyPublishers.ofString(RESET)))
                                .statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
            assertThat(visitor.send(visitor.anonymous("/v1/reset").POST(BodyPublishers.ofString(RESET)))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(visitor.send(visitor.anonymous("/v1/policies").PUT(BodyPublishers.ofString("")))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(visitor.send(visitor.anonymous("/v1/policies").header("Authorization", "Bearer wrong"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void withoutAnAdminToken_theSessionSaysWhatToDo() {
        try (SluiceServer closed =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(-1).build())) {
            AdminClient visitor = new AdminClient(closed.port());
            JsonObject session = session(visitor, "x=y");
            assertThat(session.getString("sign_in")).isEqualTo("closed");
            assertThat(session.getString("help")).contains("--admin-token-file");
            assertThat(signIn(visitor, "{\"token\":\"\"}").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void dashboardOff_hasNoPageAndNoSessions() {
        String cookie = cookie(signIn(client, RIGHT));
        try (SluiceServer off = SluiceServer.start(
                AdminClient.config().dashboard(DashboardAccess.OFF).build())) {
            AdminClient visitor = new AdminClient(off.port());
            assertThat(visitor.send(visitor.anonymous("/")).statusCode()).isEqualTo(404);
            assertThat(signIn(visitor, RIGHT).statusCode()).isEqualTo(404);
            assertThat(visitor.send(visitor.anonymous("/v1/policies").header("Cookie", cookie))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(visitor.get("/v1/policies").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void headers_protectTheBrowser() {
        HttpResponse<String> page = client.send(client.anonymous("/"));
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        for (HttpResponse<String> response : List.of(
                page,
                client.get("/v1/policies"),
                client.send(client.anonymous("/v1/session")),
                client.send(client.anonymous("/v1/policies")),
                client.send(client.anonymous("/no-such-page")))) {
            assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(response.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
            assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("frame-ancestors 'none'");
        }
        assertThat(client.get("/v1/policies").headers().firstValue("Cache-Control"))
                .hasValue("no-store");
    }
}
