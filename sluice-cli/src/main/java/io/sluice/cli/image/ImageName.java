package io.sluice.cli.image;

import io.sluice.cli.console.Version;
import io.sluice.server.json.DisplayText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of an image, such as {@code registry.example.com/sluice:1.0}. */
record ImageName(String repository, String tag) {
    /** A registry has a dot or a port in its name; everything else before a slash is a part of the name, in lower case. */
    private static final String REGISTRY =
            "(?:localhost|[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:))(?::[0-9]+)?/";

    private static final String PART = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
    private static final Pattern NAME = Pattern.compile(
            "((?:" + REGISTRY + ")?" + PART + "(?:/" + PART + ")*):([a-zA-Z0-9_][a-zA-Z0-9._-]{0,127})");

    /**
     * Parses a name.
     *
     * @throws IllegalArgumentException if it is not a name with a tag
     */
    static ImageName parse(String text) {
        Matcher name = NAME.matcher(text);
        if (!name.matches()) {
            throw new IllegalArgumentException(
                    DisplayText.quoted(text) + " (expected: a name and a tag, such as sluice:1.0)");
        }
        return new ImageName(name.group(1), name.group(2));
    }

    /** {@code sluice} with the version of this program. */
    static ImageName ofThisVersion() {
        @Nullable String version = Version.ofThisProgram();
        return new ImageName("sluice", version == null ? "latest" : version);
    }

    /** The name with a registry, which containerd wants. */
    String qualified() {
        int slash = repository.indexOf('/');
        String first = slash < 0 ? "" : repository.substring(0, slash);
        if (first.contains(".") || first.contains(":") || first.equals("localhost")) {
            return this.toString();
        }
        return "docker.io/" + (slash < 0 ? "library/" : "") + this;
    }

    @Override
    public String toString() {
        return repository + ":" + tag;
    }
}
