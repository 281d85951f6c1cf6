package io.sluice.redis.script;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/*
 * Redis runs the whole script anew in every call, and each local variable that a function uses costs time. So constants
 * do not exist in the scripts that Redis gets: their numbers stand where the fragments have names.
 *
 * A fragment may define a constant that Java does not use, by a line "local NAME = number". All others are in the enums
 * that implement LuaConstant.
 */
/** Replaces the names of constants in Lua text by their numbers. The enums of {@link LuaConstant} are the source of the numbers. */
final class LuaConstants {
    private static final Pattern DEFINITION = Pattern.compile("^local ([A-Z_]+) = ([0-9]+)\n", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z_]+\\b");

    private LuaConstants() {}

    /** The constants that Java and Lua share, by name. */
    static Map<String, String> shared() {
        Map<String, String> shared = new HashMap<>();
        addAll(shared, Verb.values());
        addAll(shared, Status.values());
        addAll(shared, Outcome.values());
        addAll(shared, LimitKind.values());
        addAll(shared, Format.values());
        return shared;
    }

    private static void addAll(Map<String, String> all, LuaConstant... constants) {
        for (LuaConstant constant : constants) {
            define(all, constant.name(), Integer.toString(constant.code()));
        }
    }

    private static void define(Map<String, String> all, String name, String number) {
        String known = all.putIfAbsent(name, number);
        if (known != null) {
            throw new IllegalStateException("Lua constant " + name + ": defined as " + known + " and as " + number
                    + " (expected: one definition)");
        }
    }

    /** The text with numbers in the place of names, and without the definitions. */
    static String inlined(String text) {
        Map<String, String> own = new HashMap<>();
        Matcher definitions = DEFINITION.matcher(text);
        while (definitions.find()) {
            // A fragment that is included twice defines its constants twice.
            if (!definitions.group(2).equals(own.get(definitions.group(1)))) {
                define(own, definitions.group(1), definitions.group(2));
            }
        }
        Map<String, String> numbers = shared();
        own.forEach((name, number) -> define(numbers, name, number));
        String rest = DEFINITION.matcher(text).replaceAll("");
        return NAME.matcher(rest).replaceAll(name -> numbers.getOrDefault(name.group(), name.group()));
    }
}
