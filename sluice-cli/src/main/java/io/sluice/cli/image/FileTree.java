package io.sluice.cli.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of one layer, by their path in the image. Everything belongs to root, but for {@link #ownDirectory}. */
final class FileTree {
    private static final int DIRECTORY = 0755;
    private static final int FILE = 0644;
    private static final int PROGRAM = 0755;

    /** Sorted, so that the same files give the same bytes; a directory comes before what is in it. */
    private final NavigableMap<String, Node> nodes = new TreeMap<>();

    /** Writes one entry of a layer. */
    private interface Node {
        void write(TarWriter tar, String path) throws IOException;
    }

    /** Adds a directory. */
    FileTree directory(String path, int mode) {
        return put(path, (tar, name) -> tar.directory(name, mode, 0));
    }

    /** Adds a directory that only this user may use. */
    FileTree ownDirectory(String path, int user) {
        return put(path, (tar, name) -> tar.directory(name, 0700, user));
    }

    /** Adds a text. */
    FileTree text(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return put(path, (tar, name) -> tar.file(name, FILE, bytes));
    }

    /** Adds a copy of a file; of a link, the file that it leads to. */
    FileTree file(String path, Path source) {
        int mode = Files.isExecutable(source) ? PROGRAM : FILE;
        return put(path, (tar, name) -> tar.file(name, mode, source));
    }

    /** Adds copies of everything in a directory. */
    FileTree copy(String path, Path source) throws IOException {
        directory(path, DIRECTORY);
        try (Stream<Path> children = Files.list(source)) {
            for (Path child : children.toList()) {
                String name = path + "/" + child.getFileName();
                if (Files.isSymbolicLink(child)) {
                    String target = Files.readSymbolicLink(child).toString();
                    put(name, (tar, link) -> tar.link(link, target));
                } else if (Files.isDirectory(child)) {
                    copy(name, child);
                } else {
                    file(name, child);
                }
            }
        }
        return this;
    }

    private FileTree put(String path, Node node) {
        int slash = path.lastIndexOf('/');
        if (slash > 0 && !nodes.containsKey(path.substring(0, slash))) {
            directory(path.substring(0, slash), DIRECTORY);
        }
        nodes.put(path, node);
        return this;
    }

    void writeTo(OutputStream out) throws IOException {
        try (TarWriter tar = new TarWriter(out)) {
            for (Map.Entry<String, Node> entry : nodes.entrySet()) {
                entry.getValue().write(tar, entry.getKey());
            }
        }
    }
}
