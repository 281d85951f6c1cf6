package io.sluice.cli.simulate.plot;

import io.sluice.cli.console.InvalidInputException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * A plot file that is written atomically. The constructor creates the temporary file, so that a directory without write
 * access is refused before a long run and not after it.
 */
public final class PlotFile implements AutoCloseable {
    private final Path file;
    private final Path temporary;

    public PlotFile(Path name) {
        try {
            file = Files.exists(name) ? name.toRealPath() : name.toAbsolutePath();
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new InvalidInputException(
                        "plot " + name + " is not a regular file (expected: a file such as plot.svg)");
            }
            temporary = file.resolveSibling(
                    "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
            Files.write(temporary, new byte[0], StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            temporary.toFile().deleteOnExit();
        } catch (NoSuchFileException e) {
            throw refused(name, "no such directory");
        } catch (AccessDeniedException e) {
            throw refused(name, "permission denied");
        } catch (IOException e) {
            throw refused(name, String.valueOf(e.getMessage()));
        }
    }

    /** Writes the plot: as PNG if the name ends so, else as SVG. */
    public void write(String svg) {
        try {
            if (file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
                Files.write(temporary, PngImage.of(svg));
            } else {
                Files.writeString(temporary, svg);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw refused(file, String.valueOf(e.getMessage()));
        }
    }

    /** Deletes the temporary file if nothing was written. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            throw refused(file, "cannot remove " + temporary);
        }
    }

    private static InvalidInputException refused(Path name, String reason) {
        return new InvalidInputException(
                "plot " + name + " cannot be written: " + reason + " (expected: a file such as plot.svg)");
    }
}
