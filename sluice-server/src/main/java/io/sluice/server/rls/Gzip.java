package io.sluice.server.rls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Decompresses messages. */
final class Gzip {
    private Gzip() {}

    /** @throws GrpcException if the result has more than {@code max} bytes; no more are decompressed */
    static byte[] inflate(byte[] compressed, int max) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            byte[] plain = in.readNBytes(max + 1);
            if (plain.length > max) {
                throw new GrpcException(
                        GrpcStatus.RESOURCE_EXHAUSTED,
                        "message of more than " + max + " bytes when decompressed (expected: at most " + max + ")");
            }
            return plain;
        } catch (IOException e) {
            throw GrpcException.invalid("the message is not gzip: " + e.getMessage());
        }
    }
}
