package io.sluice.cli;

import io.sluice.policy.Texts;
import java.util.Map;

/** Texts by name, as JSON writes them. */
final class JsonTexts {
    private JsonTexts() {}

    static void append(StringBuilder out, Map<String, String> texts) {
        out.append('{');
        String separator = "";
        for (Map.Entry<String, String> text : texts.entrySet()) {
            out.append(separator);
            Texts.appendQuoted(out, text.getKey());
            out.append(':');
            Texts.appendQuoted(out, text.getValue());
            separator = ",";
        }
        out.append('}');
    }
}
