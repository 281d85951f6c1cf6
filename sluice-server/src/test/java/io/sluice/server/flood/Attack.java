package io.sluice.server.flood;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.RawConnection;
import io.sluice.server.wire.Http2Frames;
import java.util.Random;

/** The bytes that a hostile client sends on one connection. */
enum Attack {
    HTTP_1_GARBAGE {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Bytes(victim.http, false) {
                @Override
                byte[] next() {
                    return Mutations.of(REQUESTS[random.nextInt(REQUESTS.length)].getBytes(ISO_8859_1), random);
                }
            };
        }
    },
    HTTP_1_NEVER_READS {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] requests =
                    "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50).getBytes(ISO_8859_1);
            return new Bytes(victim.http, true) {
                @Override
                byte[] next() {
                    return requests;
                }
            };
        }
    },
    HTTP_1_BYTE_BY_BYTE {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] request = RawConnection.check("{\"attributes\":{}}").getBytes(ISO_8859_1);
            return new Bytes(victim.http, true) {
                private int sent;

                @Override
                byte[] next() {
                    return new byte[] {request[sent++ % request.length]};
                }
            };
        }
    },
    HTTP_1_HUGE_HEADERS {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Bytes(victim.http, true) {
                private boolean begun;

                @Override
                byte[] next() {
                    String line =
                            begun ? "X-" + random.nextInt() + ": " + "x".repeat(4000) + "\r\n" : "GET / HTTP/1.1\r\n";
                    begun = true;
                    return line.getBytes(ISO_8859_1);
                }
            };
        }
    },
    HTTP_2_NO_WINDOW {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Frames(victim) {
                @Override
                void next(Http2Frames frames) {
                    frames.window(0).post(stream(), "/v1/check:batch", "application/json", BATCH);
                }
            };
        }
    },
    HTTP_2_CANCELS {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Frames(victim) {
                @Override
                void next(Http2Frames frames) {
                    int stream = stream();
                    frames.post(stream, "/v1/check", "application/json", "{\"attributes\":{}}".getBytes(UTF_8))
                            .cancel(stream);
                }
            };
        }
    },
    GRPC_GARBAGE {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Frames(victim) {
                @Override
                void next(Http2Frames frames) {
                    byte[] message = new byte[random.nextInt(200)];
                    random.nextBytes(message);
                    frames.post(
                            stream(),
                            "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
                            "application/grpc",
                            message);
                }
            };
        }
    },
    HTTP_2_GARBAGE {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] opening = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(ISO_8859_1);
            return new Bytes(victim.http, false) {
                private boolean begun;

                @Override
                byte[] next() {
                    byte[] bytes = begun ? frame(random) : opening;
                    begun = true;
                    return bytes;
                }
            };
        }
    },
    TLS_ON_A_PLAIN_PORT {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] hello = "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003".getBytes(ISO_8859_1);
            return new Bytes(random.nextBoolean() ? victim.http : victim.resp, false) {
                @Override
                byte[] next() {
                    return hello;
                }
            };
        }
    },
    RESP_GARBAGE {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            return new Bytes(victim.resp, false) {
                @Override
                byte[] next() {
                    return Mutations.of(COMMANDS[random.nextInt(COMMANDS.length)].getBytes(ISO_8859_1), random);
                }
            };
        }
    },
    RESP_NEVER_READS {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] commands = "*1\r\n$7\r\nCOMMAND\r\n".repeat(100).getBytes(ISO_8859_1);
            return new Bytes(victim.resp, true) {
                @Override
                byte[] next() {
                    return commands;
                }
            };
        }
    },
    RESP_COMMAND_WITHOUT_END {
        @Override
        Connection connect(ServerProcess victim, Random random) {
            byte[] part = ("$4000\r\n" + "x".repeat(4000) + "\r\n").getBytes(ISO_8859_1);
            return new Bytes(victim.resp, true) {
                private boolean begun;

                @Override
                byte[] next() {
                    byte[] bytes = begun ? part : "*1000\r\n".getBytes(ISO_8859_1);
                    begun = true;
                    return bytes;
                }
            };
        }
    };

    private static final byte[] BATCH = ("{\"checks\":["
                    + "{\"attributes\":{\"tenant\":\"hostile\"},\"permits\":0},".repeat(499)
                    + "{\"attributes\":{\"tenant\":\"hostile\"},\"permits\":0}]}")
            .getBytes(UTF_8);

    private static final String[] REQUESTS = {
        RawConnection.check("{\"attributes\":{\"tenant\":\"hostile\"},\"permits\":0}"),
        "GET /v1/auth?deny=403 HTTP/1.1\r\nHost: x\r\nX-Forwarded-Uri: /a?b\r\nX-Sluice-Tenant: hostile\r\n\r\n",
        "PUT /v1/policies HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"checks\":[]}\r\n0\r\n\r\n"
    };

    private static final String[] COMMANDS = {
        "*5\r\n$11\r\nCL.THROTTLE\r\n$7\r\nhostile\r\n$1\r\n5\r\n$1\r\n5\r\n$2\r\n60\r\n",
        "SLUICE.CHECK 1 tenant hostile\r\n",
        "*4\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$1\r\nx\r\n"
    };

    abstract Connection connect(ServerProcess victim, Random random);

    private static byte[] frame(Random random) {
        byte[] frame = new byte[9 + random.nextInt(64)];
        random.nextBytes(frame);
        frame[0] = 0;
        frame[1] = 0;
        frame[2] = (byte) (frame.length - 9);
        frame[3] = (byte) random.nextInt(11);
        return frame;
    }
}
