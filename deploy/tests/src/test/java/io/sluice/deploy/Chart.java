package io.sluice.deploy;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.List;

/** The chart in {@code deploy/helm}, rendered by Helm itself. */
final class Chart {
    static final Path DIRECTORY = Path.of("..", "helm");

    private Chart() {}

    static Helm helm() {
        return new Helm(DIRECTORY);
    }

    /** The objects of a release named {@code sluice}. */
    static List<ApiObject> render(List<Path> values) {
        return render("sluice", values);
    }

    static List<ApiObject> render(String release, List<Path> values) {
        Cluster.EMPTY.use();
        return renderOnCluster(release, values);
    }

    /** Renders for the cluster that is in use, which may have the secret of an earlier release. */
    static List<ApiObject> renderOnCluster(String release, List<Path> values) {
        // Without a cluster Helm would take an older version than the chart wants.
        TemplateCommand command =
                helm().template().withName(release).withNamespace("limits").withKubeVersion("1.30.0");
        values.forEach(command::withValuesFile);
        return ApiObject.read(command.call());
    }

    /** What a person sees after the installation. */
    static String notes(List<Path> values) {
        InstallCommand command = helm().install()
                .clientOnly()
                .withDryRunOption(DryRun.CLIENT)
                .withName("sluice")
                .withNamespace("limits")
                .withKubeVersion("1.30.0")
                .debug();
        values.forEach(command::withValuesFile);
        String output = command.call().getOutput();
        return output.substring(output.indexOf("NOTES:"));
    }
}
