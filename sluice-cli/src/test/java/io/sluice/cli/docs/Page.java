package io.sluice.cli.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One Markdown file of the repository. */
record Page(Path file, List<String> lines) {
    /** The repository; tests run in the directory of their module. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git");
    private static final Pattern FENCE = Pattern.compile("```(\\w*)\\s*");
    private static final Pattern COMMENT = Pattern.compile("<!-- (.*) -->");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

    /** A link to somewhere in the repository. */
    record Link(int line, String target) {}

    /** All pages of the repository, in the order of their names. */
    static List<Page> all() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return SKIPPED.contains(directory.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".md")) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream().sorted().map(Page::read).toList();
    }

    static Page read(Path file) {
        try {
            return new Page(file, Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name inside the repository. */
    String name() {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** The fenced blocks, each with the comment in the line before it. */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                continue;
            }
            int first = i + 1;
            int end = first;
            while (!lines.get(end).equals("```")) {
                end++;
            }
            Matcher comment = COMMENT.matcher(i == 0 ? "" : lines.get(i - 1));
            blocks.add(new Block(
                    name(),
                    first + 1,
                    fence.group(1),
                    comment.matches() ? comment.group(1) : "",
                    String.join("\n", lines.subList(first, end)) + "\n"));
            i = end;
        }
        return blocks;
    }

    /** The lines outside of fenced blocks; those inside are empty. */
    List<String> prose() {
        List<String> prose = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            boolean fence = line.startsWith("```");
            prose.add(inside || fence ? "" : line);
            inside ^= fence;
        }
        return prose;
    }

    /** Links to files and anchors of the repository. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        List<String> prose = prose();
        for (int i = 0; i < prose.size(); i++) {
            Matcher link = LINK.matcher(prose.get(i).replaceAll("`[^`]*`", "code"));
            while (link.find()) {
                if (!link.group(1).matches("[a-z]+:.*")) {
                    links.add(new Link(i + 1, link.group(1)));
                }
            }
        }
        return links;
    }

    /** The anchors of the headings, as GitHub makes them. */
    Set<String> anchors() {
        Set<String> anchors = new LinkedHashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose()) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    static String anchor(String heading) {
        return heading.strip()
                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
