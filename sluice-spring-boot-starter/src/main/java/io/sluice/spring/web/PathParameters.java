package io.sluice.spring.web;

/** Removes path parameters, as Spring does before it searches a handler: {@code /a;b=c/d} is {@code /a/d}. */
public final class PathParameters {
    private PathParameters() {}

    /** The path without everything from a semicolon to the next slash. */
    public static String remove(String path) {
        int semicolon = path.indexOf(';');
        if (semicolon < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int from = 0;
        while (semicolon >= 0) {
            out.append(path, from, semicolon);
            int slash = path.indexOf('/', semicolon);
            from = slash < 0 ? path.length() : slash;
            semicolon = path.indexOf(';', from);
        }
        return out.append(path, from, path.length()).toString();
    }
}
