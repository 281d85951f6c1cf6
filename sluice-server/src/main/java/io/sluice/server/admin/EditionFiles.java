package io.sluice.server.admin;

import io.sluice.server.StartException;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Keeps the latest editions in a folder, a file for each: {@code 7.yaml}, with the time of the edition. */
final class EditionFiles {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.yaml");

    private final Path folder;

    /**
     * Opens the folder. Creates it if it does not exist.
     *
     * @throws StartException if it is a link, because an attacker could make the server write elsewhere
     * @throws UncheckedIOException if it cannot be created
     */
    EditionFiles(Path folder) {
        this.folder = folder;
        if (Files.isSymbolicLink(folder)) {
            throw new StartException(folder + ": is a symbolic link (expected: a directory, or nothing)");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the editions, the latest first. */
    List<Edition> load() {
        List<Edition> editions = new ArrayList<>();
        for (long number : numbers()) {
            Path file = file(number);
            try {
                long micros = Files.getLastModifiedTime(file).to(TimeUnit.MICROSECONDS);
                editions.add(new Edition(number, micros, Files.readString(file)));
            } catch (IOException e) {
                LOG.log(Level.WARNING, "{0} is not used: {1}", file, e);
            }
        }
        return editions.subList(0, Math.min(editions.size(), Publication.REMEMBERED));
    }

    /** Writes an edition, and deletes editions that are too old for the history. */
    void add(Edition edition) {
        Path file = file(edition.number());
        try {
            FileTime time = FileTime.from(edition.micros(), TimeUnit.MICROSECONDS);
            AtomicFile.replaceOwn(file, edition.text().getBytes(StandardCharsets.UTF_8), time);
            for (long number : numbers()) {
                if (number <= edition.number() - Publication.REMEMBERED) {
                    Files.deleteIfExists(file(number));
                }
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "edition {0} will not be in the history: {1}", edition.number(), e);
        }
    }

    private Path file(long number) {
        return folder.resolve(number + ".yaml");
    }

    private List<Long> numbers() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.parseLong(name.group(1)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the history in {0} cannot be read: {1}", folder, e);
            return List.of();
        }
    }
}
