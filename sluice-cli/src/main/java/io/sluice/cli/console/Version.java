package io.sluice.cli.console;

import picocli.CommandLine.IVersionProvider;

/** The text that {@code --version} prints. The version is in the manifest of the runnable jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"sluice " + (version == null ? "(unpackaged)" : version) + ", Java " + Runtime.version()};
    }
}
