package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every relative link of a page leads somewhere, and every page can be found by links. */
class LinksTest {
    private static List<String> broken(List<Page> pages) {
        List<String> broken = new ArrayList<>();
        for (Page page : pages) {
            for (Page.Link link : page.links()) {
                if (!leadsSomewhere(page, link.target())) {
                    broken.add(page.file() + ":" + link.line() + ": " + link.target());
                }
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Page page, String target) {
        Path file = file(page, target);
        int hash = target.indexOf('#');
        return Files.exists(file) && (hash < 0 || Page.read(file).anchors().contains(target.substring(hash + 1)));
    }

    private static Path file(Page page, String target) {
        String path = target.replaceFirst("#.*", "");
        return path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
    }

    @Test
    void links_leadToAFileAndAnAnchor() {
        assertThat(broken(Page.all())).isEmpty();
    }

    @Test
    void pages_areLinkedToFromAnotherPage() {
        List<Page> pages = Page.all();
        Set<Path> found = new HashSet<>();
        found.add(Page.ROOT.resolve("README.md"));
        for (Page page : pages) {
            page.links().stream()
                    .map(link -> file(page, link.target()))
                    .filter(file -> !file.equals(page.file()))
                    .forEach(found::add);
        }
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(pages.stream().map(Page::file)).isSubsetOf(found);
    }

    @Test
    void docs_beginWithATitleAndASentence() {
        assertThat(Page.all().stream().filter(page -> page.name().startsWith("docs/")))
                .allSatisfy(page -> {
                    assertThat(page.lines().get(0)).as(page.name()).startsWith("# ");
                    assertThat(page.lines().get(2)).as(page.name()).matches("[A-Z].*[a-z].*");
                });
    }

    @Test
    void brokenLinks_areFound(@TempDir Path directory) throws IOException {
        Path page = Files.writeString(directory.resolve("a.md"), """
                # What `/v1/auth` reads

                [good](#what-v1auth-reads) [`good`](a.md) [bad](#what)
                [bad](b.md) `[code](c.md)`
                ```text
                [shown](d.md)
                ```
                """);
        assertThat(broken(List.of(Page.read(page)))).containsExactly(page + ":3: #what", page + ":4: b.md");
    }
}
