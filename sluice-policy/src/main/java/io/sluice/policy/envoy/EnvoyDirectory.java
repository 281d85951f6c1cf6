package io.sluice.policy.envoy;

import io.sluice.policy.watch.FileContent;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the configuration files of a directory. */
final class EnvoyDirectory {
    private EnvoyDirectory() {}

    /**
     * The content of the files, by their paths. Files whose names begin with a dot are ignored: they belong to editors,
     * or to mounted volumes.
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
