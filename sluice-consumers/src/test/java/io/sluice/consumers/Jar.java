package io.sluice.consumers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The files of a jar, by their names. */
record Jar(Path file, Map<String, byte[]> entries) {
    static Jar read(Path file) {
        Map<String, byte[]> entries = new TreeMap<>();
        try (JarFile jar = new JarFile(file.toFile())) {
            for (ZipEntry entry :
                    jar.stream().filter(entry -> !entry.isDirectory()).toList()) {
                entries.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Jar(file, entries);
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    String text(String name) {
        byte[] bytes = entries.get(name);
        if (bytes == null) {
            throw new AssertionError(file + " has no " + name);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
