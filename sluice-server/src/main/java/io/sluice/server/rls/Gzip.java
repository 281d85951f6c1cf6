package io.sluice.server.rls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** What a compressed message is. */
final class Gzip {
    private Gzip() {}

    /** @throws GrpcException if there is more than {@code most}, of which no more is made */
    static byte[] inflate(byte[] compressed, int most) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            byte[] plain = in.readNBytes(most + 1);
            if (plain.length > most) {
                throw new GrpcException(
                        GrpcStatus.RESOURCE_EXHAUSTED,
                        "message of more than " + most + " bytes when decompressed (expected: at most " + most + ")");
            }
            return plain;
        } catch (IOException e) {
            throw GrpcException.invalid("the message is no gzip: " + e.getMessage());
        }
    }
}
