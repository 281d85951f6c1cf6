package io.sluice.policy.envoy;

import io.sluice.policy.watch.FileContent;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files of a directory, by their paths. */
final class EnvoyDirectory {
    private EnvoyDirectory() {}

    /**
     * What they say. Those whose names begin with a dot are somebody else's: an editor's, or where mounted files are kept.
     *
     * @throws IOException if the directory or one of the files cannot be read
     */
    static SortedMap<String, FileContent> read(Path directory) throws IOException {
        SortedMap<String, FileContent> files = new TreeMap<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "[!.]*.{yaml,yml}")) {
            for (Path file : found) {
                if (!Files.isDirectory(file)) {
                    files.put(file.toString(), FileContent.read(file));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }
}
