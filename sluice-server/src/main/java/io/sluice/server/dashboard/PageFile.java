package io.sluice.server.dashboard;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A file of the web page, as it is and compressed. The ETag is a digest of its bytes. */
record PageFile(String type, String etag, Buffer plain, Buffer gzip) {
    static PageFile load(String name) throws IOException {
        try (@Nullable InputStream in = PageFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException("the jar has no " + name);
            }
            byte[] bytes = in.readAllBytes();
            return new PageFile(type(name), etag(bytes), Buffer.buffer(bytes), Buffer.buffer(compressed(bytes)));
        }
    }

    private static byte[] compressed(byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 3);
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        }
        return compressed.toByteArray();
    }

    private static String etag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "application/octet-stream";
        };
    }
}
