package io.sluice.server.http;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.CheckJson;
import io.sluice.server.json.Misfit;
import io.sluice.server.json.Utf8;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Bodies that are JSON. */
final class JsonBodies {
    /** Reads checks within the bounds of a request. */
    static final CheckJson CHECKS = new CheckJson(RequestBounds.ATTRIBUTES, RequestBounds.ATTRIBUTE);

    /** Makes something of a body. */
    @FunctionalInterface
    interface Reading<T> {
        T of(byte[] body) throws Misfit;
    }

    private JsonBodies() {}

    /** Hands over what was made of the body; answers by itself if it cannot be read. */
    static <T> void read(HttpServerRequest request, Reading<T> reading, Handler<T> then) {
        @Nullable String type = request.headers().get(HttpHeaders.CONTENT_TYPE);
        if (type != null && !isJson(type)) {
            Bodies.ignore(request);
            Problems.answer(request, 415, "Content-Type is " + type + " (expected: application/json)");
            return;
        }
        Bodies.read(request, body -> {
            byte[] bytes = body.getBytes();
            T read;
            try {
                read = reading.of(bytes);
            } catch (Misfit e) {
                Problems.answer(request, 400, place(bytes, e.offset()) + e.getMessage());
                return;
            }
            then.handle(read);
        });
    }

    /** What {@code curl -d} calls everything is taken for JSON too. */
    private static boolean isJson(String type) {
        if (type.equals("application/json")) {
            return true;
        }
        int semicolon = type.indexOf(';');
        String bare =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        return bare.equals("application/json")
                || bare.endsWith("+json")
                || bare.equals("application/x-www-form-urlencoded");
    }

    private static String place(byte[] body, int offset) {
        int line = 1;
        int from = 0;
        for (int i = 0; i < offset; i++) {
            if (body[i] == '\n') {
                line++;
                from = i + 1;
            }
        }
        return "line " + line + ", column " + (Utf8.characters(body, from, offset) + 1) + ": ";
    }
}
