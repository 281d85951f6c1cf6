package io.sluice.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs shell blocks in a directory that looks like the repository of a user: with {@code ./sluice}, policies and recorded
 * traffic. The documented addresses stand for the service and the Redis of the test. A block that starts a service gets
 * free ports of its own, and its service is stopped at the end of the block.
 */
final class Shell {
    /**
     * Starts a service in the background, and prints its output until it listens. The file is emptied first, so that the output
     * of an earlier service is not read.
     */
    private static final String PRELUDE = """
            serve() {
              : >serve.out
              ./sluice serve "$@" >>serve.out 2>serve.err &
              service=$!
              trap 'kill $service; wait $service || true' EXIT
              until grep -q '^listening on redis:' serve.out; do
                kill -0 $service || { cat serve.err; exit 1; }
                sleep 0.05
              done
              cat serve.out
            }
            """;

    private static final String MARK = "@@ end of a command @@";
    private static final Pattern SERVE = Pattern.compile("(?m)^\\./sluice serve\\b(?!.*--print-config)(.*?) ?&?$");

    /** The programs that a block may call. Others could reach beyond the directory and the loopback. */
    private static final Set<String> PROGRAMS = Set.of(
            "./sluice",
            "curl",
            "redis-cli",
            "openssl",
            "chmod",
            "sha256sum",
            "cut",
            "grep",
            "head",
            "sort",
            "tr",
            "uniq",
            "echo",
            "printf");

    /** The first word of a command: at the start of a line, or after a character that joins commands. */
    private static final Pattern FIRST_WORD = Pattern.compile("(?m)(?:^|[;&|(])[ $]*([./\\w-]+)");

    private static final Pattern QUOTED = Pattern.compile("'[^'\\n]*'|\"(?:[^\"$\\\\\\n]|\\\\.)*\"");

    private final Path directory;
    private final Service service;
    private final String redis;

    /**
     * @param service answers where a block does not start its own
     * @param redis the URI of a Redis
     */
    Shell(Path directory, Service service, String redis) throws IOException {
        this.directory = directory;
        this.service = service;
        this.redis = redis;
        Path sluice = Files.writeString(
                directory.resolve("sluice"),
                "#!/bin/sh\nexec " + Service.JAVA + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -jar "
                        + Service.JAR + " \"$@\"\n");
        if (!sluice.toFile().setExecutable(true)) {
            throw new IOException(sluice + ": cannot be made executable");
        }
        Path docs = Page.ROOT.resolve("docs");
        Files.createDirectories(directory.resolve("docs/examples"));
        for (String file : List.of("trace.csv", "examples/api-plans.yaml")) {
            Files.copy(docs.resolve(file), directory.resolve("docs").resolve(file));
        }
        Files.copy(docs.resolve("trace.csv"), directory.resolve("trace.csv"));
        Files.writeString(directory.resolve("token"), Service.TOKEN);
        Files.writeString(
                directory.resolve("requests.jsonl"),
                IntStream.range(0, 400)
                        .mapToObj(i -> "{\"time_us\":" + i * 1000
                                + ",\"attributes\":{\"tenant\":\"blue\",\"path\":\"/api/orders\"}}\n")
                        .collect(Collectors.joining()));
    }

    /** The programs of a block that it may not call. */
    static Set<String> unknownPrograms(Block block) {
        String commands = block.is("console")
                ? block.text().lines().filter(line -> line.startsWith("$ ")).collect(Collectors.joining("\n"))
                : block.text();
        return FIRST_WORD
                .matcher(QUOTED.matcher(commands).replaceAll("text").replaceAll("#.*|(?m)^(\\$ )?\\w+=", ""))
                .results()
                .map(found -> found.group(1))
                .filter(program -> !PROGRAMS.contains(program))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Runs a block of commands, each of which has to succeed. */
    void run(Block block) throws IOException, InterruptedException {
        Ports ports = Ports.of(block, service);
        Ran ran = bash("set -euo pipefail\n" + PRELUDE + adapted(block.text(), ports));
        if (ran.code != 0) {
            throw new AssertionError(block + ": exit code " + ran.code + "\n" + ran.out);
        }
    }

    /** Runs the commands of a block, which begin with a dollar sign, and compares what each prints with what is shown. */
    void compare(Block block) throws IOException, InterruptedException {
        Ports ports = Ports.of(block, service);
        StringBuilder script = new StringBuilder(PRELUDE);
        List<StringBuilder> shown = new ArrayList<>();
        for (String line : block.text().lines().toList()) {
            if (line.startsWith("$ ")) {
                script.append(adapted(line.substring(2), ports))
                        .append("\nprintf '\\n%s\\n' '")
                        .append(MARK)
                        .append("'\n");
                shown.add(new StringBuilder());
            } else {
                shown.get(shown.size() - 1).append(line).append('\n');
            }
        }
        String[] printed = bash(script.toString()).out.split(MARK, -1);
        for (int i = 0; i < shown.size(); i++) {
            String out = i < printed.length ? ports.documented(printed[i].strip()) : "";
            if (!pattern(shown.get(i).toString()).matcher(out + "\n").matches()) {
                throw new AssertionError(
                        block + ": the page shows\n" + shown.get(i) + "but the program prints\n" + out);
            }
        }
    }

    /** A line of dots stands for any lines, and dots in a line for any text. */
    private static Pattern pattern(String shown) {
        String regex = shown.lines()
                .map(line -> line.equals("…")
                        ? "(?:.*\n)*"
                        : Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"))
                                + "\n")
                .collect(Collectors.joining());
        return Pattern.compile(regex.isEmpty() ? "\n" : regex);
    }

    private String adapted(String text, Ports ports) {
        return SERVE.matcher(text)
                .replaceAll("serve$1 --port " + ports.http + " --resp-port " + ports.resp)
                .replace("--host 0.0.0.0", "--host 127.0.0.1")
                .replace("localhost:8080", "127.0.0.1:" + ports.http)
                .replace("curl -s", "curl --fail-with-body -s")
                .replace("redis-cli -p 6380", "redis-cli -e -p " + ports.resp)
                .replace("redis://localhost", redis);
    }

    private Ran bash(String script) throws IOException, InterruptedException {
        Path out = directory.resolve("shell.out");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("TOKEN", Service.TOKEN);
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return new Ran(-1, Files.readString(out) + "\nit does not end");
        }
        return new Ran(process.exitValue(), Files.readString(out));
    }

    private record Ran(int code, String out) {}

    /** The ports that the documented ones stand for. */
    private record Ports(int http, int resp) {
        static Ports of(Block block, Service service) {
            String commands = block.text().replaceAll("(?m)^\\$ ", "");
            return SERVE.matcher(commands).find()
                    ? new Ports(Service.freePort(), Service.freePort())
                    : new Ports(service.port, service.respPort);
        }

        String documented(String out) {
            return out.replace("127.0.0.1:" + http, "127.0.0.1:8080").replace("127.0.0.1:" + resp, "127.0.0.1:6380");
        }
    }
}
