package io.sluice.cli.serve;

import io.sluice.server.settings.Setting;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds a flag for each server setting. The values stay text, so that flags, variables and files give the same errors. */
final class SettingFlags {
    private SettingFlags() {}

    static void addTo(CommandSpec command) {
        int groups = 0;
        for (Setting.Group group : Setting.Group.values()) {
            ArgGroupSpec.Builder flags = ArgGroupSpec.builder()
                    .exclusive(false)
                    .validate(false)
                    .multiplicity("0..1")
                    .order(groups++)
                    .heading("%n" + group.heading() + "%n");
            int order = 0;
            for (Setting setting : group.settings()) {
                if (setting.flag().isPresent()) {
                    flags.addArg(flag(setting, order++));
                }
            }
            command.addArgGroup(flags.build());
        }
    }

    private static OptionSpec flag(Setting setting, int order) {
        OptionSpec.Builder flag = OptionSpec.builder(setting.flag().orElseThrow())
                .type(String.class)
                .order(order)
                .description(described(setting).replace("%", "%%"));
        if (setting.label().isEmpty()) {
            return flag.arity("0..1")
                    .fallbackValue("true")
                    .paramLabel("true|false")
                    .build();
        }
        return flag.arity("1").paramLabel(setting.label()).build();
    }

    private static String described(Setting setting) {
        String usual = setting.label().isEmpty()
                ? ""
                : setting.defaultValue().map(text -> " Default: " + text).orElse("");
        return setting.description() + usual;
    }
}
