package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;

/** The machine that an image is for, in the words of OCI. */
record Platform(String os, String architecture) {
    /** The platform of this machine, because the image holds its C library. */
    static Platform ofThisMachine() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** The platform with these names of Java. */
    static Platform of(String os, String architecture) {
        if (!os.equals("Linux")) {
            throw new RunFailedException("this is " + os + " (expected: Linux, because the image gets the C library"
                    + " of this machine; elsewhere use deploy/Dockerfile)");
        }
        return new Platform("linux", architecture.equals("aarch64") ? "arm64" : architecture);
    }

    @Override
    public String toString() {
        return os + "/" + architecture;
    }
}
