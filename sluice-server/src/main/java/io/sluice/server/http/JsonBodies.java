package io.sluice.server.http;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.CheckJson;
import io.sluice.server.json.JsonInputException;
import io.sluice.server.json.Utf8;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads requests whose body is JSON. */
final class JsonBodies {
    /** Parses checks within {@link RequestBounds}. */
    static final CheckJson CHECKS = new CheckJson(RequestBounds.ATTRIBUTES, RequestBounds.ATTRIBUTE);

    @FunctionalInterface
    interface Parser<T> {
        T parse(byte[] body) throws JsonInputException;
    }

    private JsonBodies() {}

    /** Parses the body and passes the result to a handler. Answers with an error if the body is not valid. */
    static <T> void read(HttpServerRequest request, Parser<T> parser, Handler<T> handler) {
        @Nullable String type = request.headers().get(HttpHeaders.CONTENT_TYPE);
        if (type != null && !isJson(type)) {
            RequestBodies.ignore(request);
            Problems.answer(request, 415, "Content-Type is " + type + " (expected: application/json)");
            return;
        }
        RequestBodies.read(request, body -> {
            byte[] bytes = body.getBytes();
            T parsed;
            try {
                parsed = parser.parse(bytes);
            } catch (JsonInputException e) {
                Problems.answer(request, 400, place(bytes, e.offset()) + e.getMessage());
                return;
            }
            handler.handle(parsed);
        });
    }

    /** The default type of {@code curl -d} is accepted as JSON too. */
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
