package io.sluice.memory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * The text says where the holds are, so the store needs no list of its own of what was handed out. It works after a restart too,
 * because snapshots keep the ids. Only who was given the text knows the ids.
 */
/** Writes and reads the text that names holds. */
final class HoldsText {
    private static final int VERSION = 1;
    private static final int MAX_LENGTH = 1 << 20;

    private HoldsText() {}

    static String of(List<HeldKey> holds) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            for (HeldKey hold : holds) {
                out.writeBoolean(hold.calls());
                out.writeLong(hold.id());
                write(out, hold.limiter());
                write(out, hold.key());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return base64(bytes.toByteArray());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Writes the number of chars, and each char in 1 to 3 bytes. So any string works, unpaired surrogates included. */
    private static void write(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                out.writeByte(c);
            } else {
                out.writeByte(0x80 | c >> 14);
                out.writeByte(c >> 7 & 0x7f);
                out.writeByte(c & 0x7f);
            }
        }
    }

    static List<HeldKey> parse(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw none(null);
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            // Base64 ignores some bits of the last character.
            if (in.readByte() != VERSION || !base64(bytes).equals(text)) {
                throw none(null);
            }
            List<HeldKey> holds = new ArrayList<>();
            do {
                boolean calls = in.readBoolean();
                long id = in.readLong();
                if (id == 0) {
                    throw none(null);
                }
                holds.add(new HeldKey(read(in), calls, read(in), id));
            } while (in.available() > 0);
            return holds;
        } catch (IOException | IllegalArgumentException e) {
            throw none(e);
        }
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("length " + length);
        }
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int c = in.readUnsignedByte();
            text.append((char) (c < 0x80 ? c : (c & 0x7f) << 14 | in.readUnsignedByte() << 7 | in.readUnsignedByte()));
        }
        return text.toString();
    }

    private static IllegalArgumentException none(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "holds: not a text that names holds (expected: letters, digits, - and _, as the store returned them)",
                cause);
    }
}
