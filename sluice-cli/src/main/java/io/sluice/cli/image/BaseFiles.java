package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The files below the Java runtime: the C library of this machine, the user, and directories. There is no shell. */
final class BaseFiles {
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

    /** Where glibc has the locale C.UTF-8. */
    private static final Path LOCALE = Path.of("/usr/lib/locale/C.utf8");

    private BaseFiles() {}

    static FileTree forRuntime(Path java) throws IOException, InterruptedException {
        FileTree tree = new FileTree()
                .directory("tmp", 01777)
                .directory("dev", 0755)
                .directory("proc", 0755)
                .directory("sys", 0755)
                .ownDirectory(ImageConfig.HOME.substring(1), ImageConfig.USER)
                .text("etc/passwd", """
                        root:x:0:0:root:/:/sbin/nologin
                        sluice:x:%1$d:%1$d:sluice:%2$s:/sbin/nologin
                        """.formatted(ImageConfig.USER, ImageConfig.HOME))
                .text("etc/group", """
                        root:x:0:
                        sluice:x:%d:
                        """.formatted(ImageConfig.USER))
                .text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
        List<Path> programs = programs(java);
        // Kubernetes runs it before it stops a pod: deploy/kubernetes.
        Path sleep = find("sleep");
        tree.file("bin/sleep", sleep);
        programs.add(sleep);
        for (Path library : SharedLibraries.neededBy(java, programs)) {
            tree.file(library.toString().substring(1), library);
        }
        if (Files.isDirectory(LOCALE)) {
            tree.copy(LOCALE.toString().substring(1), LOCALE);
        }
        return tree;
    }

    /** The programs and libraries in a directory. */
    private static List<Path> programs(Path directory) throws IOException {
        List<Path> programs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    if (Arrays.equals(in.readNBytes(ELF.length), ELF)) {
                        programs.add(file);
                    }
                }
            }
        }
        return programs;
    }

    private static Path find(String program) {
        for (String directory : List.of("/usr/bin", "/bin")) {
            Path file = Path.of(directory, program);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new RunFailedException("there is no /usr/bin/" + program + " on this machine");
    }
}
