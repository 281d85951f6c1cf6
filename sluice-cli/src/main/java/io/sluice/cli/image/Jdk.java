package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A JDK that can link runtimes. */
record Jdk(Path home) {
    /** The JDK that runs this process, so that the image has the version of Java that the user chose. */
    static Jdk ofThisProcess() {
        return of(Path.of(System.getProperty("java.home")));
    }

    static Jdk of(Path home) {
        Jdk jdk = new Jdk(home);
        if (!Files.isExecutable(jdk.jlink())) {
            throw new RunFailedException("needs a JDK with jlink (found: " + home
                    + " without bin/jlink; install a JDK 17 or newer, or set JAVA_HOME to one)");
        }
        return jdk;
    }

    Path jlink() {
        return home.resolve("bin").resolve("jlink");
    }

    /** The certificates of the authorities that this JDK trusts. */
    Path trustedCertificates() {
        return home.resolve("lib").resolve("security").resolve("cacerts");
    }
}
