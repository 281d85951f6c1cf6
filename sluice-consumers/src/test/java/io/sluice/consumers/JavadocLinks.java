package io.sluice.consumers;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds links in a Javadoc jar that lead nowhere. */
final class JavadocLinks {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile("(?:id|name)=\"([^\"]*)\"");

    /** Where links may lead outside of the jar. Nobody can check those offline, so there are few. */
    private static final Pattern OUTSIDE = Pattern.compile("https://docs\\.oracle\\.com/en/java/javase/\\d+/docs/.*"
            + "|https://javadoc\\.io/doc/io\\.sluice/sluice-[a-z-]+/[^/]+/.*"
            + "|https://(www\\.rfc-editor\\.org|datatracker\\.ietf\\.org)/.*");

    private final Jar jar;
    private final Map<String, Set<String>> anchors = new HashMap<>();

    private JavadocLinks(Jar jar) {
        this.jar = jar;
    }

    /** Returns each broken link as page and target. */
    static List<String> broken(Jar jar) {
        JavadocLinks links = new JavadocLinks(jar);
        List<String> broken = new ArrayList<>();
        for (String page : jar.entries().keySet()) {
            // The tool itself writes a link to a missing anchor into the page of constants.
            if (page.endsWith(".html") && !page.equals("constant-values.html")) {
                Matcher link = LINK.matcher(jar.text(page));
                while (link.find()) {
                    if (!links.leadsSomewhere(page, link.group(1).replace("&amp;", "&"))) {
                        broken.add(page + ": " + link.group(1));
                    }
                }
            }
        }
        return broken;
    }

    private boolean leadsSomewhere(String page, String target) {
        if (target.startsWith("javascript:")) {
            return true;
        }
        if (target.matches("[a-z]+:.*")) {
            return OUTSIDE.matcher(target).matches();
        }
        URI uri = URI.create("/" + page).resolve(target.isEmpty() ? "#" : target);
        String file = uri.getPath().substring(1);
        String anchor = uri.getFragment();
        return jar.has(file)
                && (anchor == null || anchor.isEmpty() || anchors(file).contains(anchor));
    }

    private Set<String> anchors(String file) {
        return anchors.computeIfAbsent(file, name -> {
            Set<String> found = new HashSet<>();
            Matcher anchor = ANCHOR.matcher(jar.text(name));
            while (anchor.find()) {
                found.add(anchor.group(1).replace("&lt;", "<").replace("&gt;", ">"));
            }
            return found;
        });
    }
}
