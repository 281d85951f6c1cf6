package io.sluice.cli.console;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The text that {@code --version} prints. The version is in the manifest of the runnable jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ofThisProgram();
        return new String[] {"sluice " + (version == null ? "(unpackaged)" : version) + ", Java " + Runtime.version()};
    }

    /** The version of this program; null if it does not run from its jar. */
    public static @Nullable String ofThisProgram() {
        return Version.class.getPackage().getImplementationVersion();
    }
}
