package io.sluice.adapt;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A container with a quota is throttled when its quota is used up, however many CPUs the machine has. So the quota is what counts, and
 * the CPU time of the whole control group. A group in the middle of the tree may set the quota: the smallest on the way to the root
 * applies, with the usage of the group that sets it. Without a quota, other processes compete for the same CPUs. So then all that
 * these CPUs do counts, of those on which this process may run.
 */
/** Finds where CPU time is read: version 2 or 1 of control groups, or the CPUs of the machine. */
final class CpuMeters {
    private static final long TICK_MICROS = 10_000;

    private CpuMeters() {}

    static CpuSignal.Meter of(CpuFiles files) {
        BitSet allowed = allowed(files);
        for (String line : files.lines("proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3) {
                Group group = parts[1].isEmpty() ? version2(files, parts[2]) : version1(files, parts[1], parts[2]);
                if (group != null) {
                    // A quota may be for more CPUs than those on which the process may run.
                    return allowed.isEmpty() ? group : group.atMost(allowed.cardinality());
                }
            }
        }
        return new Processors(files, allowed);
    }

    /** The group with the smallest quota, from a group up to the root. In a container the path may not be visible: then the root. */
    private static @Nullable Group version2(CpuFiles files, String path) {
        Group best = null;
        for (String group : upwards(path)) {
            String directory = "sys/fs/cgroup" + group;
            List<String> max = files.lines(directory + "/cpu.max");
            String[] words = max.isEmpty() ? new String[0] : max.get(0).split(" ", -1);
            if (words.length == 2) {
                double cpus = quota(CpuFiles.numberOr(words[0], -1), CpuFiles.numberOr(words[1], -1));
                if (cpus > 0 && (best == null || cpus < best.cpus)) {
                    best = new Group(files, directory + "/cpu.stat", true, cpus);
                }
            }
        }
        return best;
    }

    private static @Nullable Group version1(CpuFiles files, String controllers, String path) {
        if (!List.of(controllers.split(",", -1)).contains("cpu")) {
            return null;
        }
        Group best = null;
        for (String mount : List.of("sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/cpu")) {
            for (String group : upwards(path)) {
                String directory = mount + group;
                double cpus = quota(
                        files.number(directory + "/cpu.cfs_quota_us"), files.number(directory + "/cpu.cfs_period_us"));
                if (cpus > 0 && (best == null || cpus < best.cpus)) {
                    String usage = directory + "/cpuacct.usage";
                    best = new Group(
                            files,
                            files.number(usage) >= 0 ? usage : "sys/fs/cgroup/cpuacct" + group + "/cpuacct.usage",
                            false,
                            cpus);
                }
            }
        }
        return best;
    }

    private static double quota(long quota, long period) {
        return quota > 0 && period > 0 ? (double) quota / period : 0;
    }

    private static List<String> upwards(String path) {
        List<String> groups = new ArrayList<>();
        String group = path.equals("/") ? "" : path;
        while (!group.isEmpty()) {
            groups.add(group);
            group = group.substring(0, Math.max(0, group.lastIndexOf('/')));
        }
        groups.add("");
        return groups;
    }

    /** The CPUs on which the process may run. Some systems allow more than the machine has: then those that there are. */
    private static BitSet allowed(CpuFiles files) {
        BitSet cpus = new BitSet();
        for (String line : files.lines("proc/self/status")) {
            if (line.startsWith("Cpus_allowed_list:")) {
                for (String range : line.substring(line.indexOf(':') + 1).trim().split(",", -1)) {
                    String[] ends = range.split("-", 2);
                    int first = (int) CpuFiles.numberOr(ends[0], -1);
                    int last = (int) CpuFiles.numberOr(ends[ends.length - 1], -1);
                    if (first >= 0 && last >= first) {
                        cpus.set(first, last + 1);
                    }
                }
            }
        }
        BitSet online = online(files);
        if (!online.isEmpty()) {
            cpus.and(online);
        }
        return cpus;
    }

    private static BitSet online(CpuFiles files) {
        BitSet cpus = new BitSet();
        for (String line : files.lines("proc/stat")) {
            long number = cpu(line.split(" ", 2)[0]);
            if (number >= 0) {
                cpus.set((int) number);
            }
        }
        return cpus;
    }

    /** The number in a name such as cpu3, or -1. */
    private static long cpu(String name) {
        return name.startsWith("cpu") ? CpuFiles.numberOr(name.substring(3), -1) : -1;
    }

    /** A control group with a quota. */
    private record Group(CpuFiles files, String usage, boolean isVersion2, double cpus) implements CpuSignal.Meter {
        Group atMost(double processors) {
            return new Group(files, usage, isVersion2, Math.min(cpus, processors));
        }

        @Override
        public long usedMicros() {
            if (!isVersion2) {
                long nanos = files.number(usage);
                return nanos < 0 ? -1 : nanos / 1000;
            }
            for (String line : files.lines(usage)) {
                if (line.startsWith("usage_usec ")) {
                    return CpuFiles.numberOr(
                            line.substring(line.indexOf(' ') + 1).trim(), -1);
                }
            }
            return -1;
        }
    }

    /** The CPUs on which this process may run. */
    private record Processors(CpuFiles files, BitSet allowed) implements CpuSignal.Meter {
        @Override
        public double cpus() {
            return allowed.isEmpty() ? Runtime.getRuntime().availableProcessors() : allowed.cardinality();
        }

        /** User, nice, system, irq and softirq time; not idle, waiting for disks, or stolen by the host. */
        @Override
        public long usedMicros() {
            long ticks = 0;
            boolean isKnown = false;
            for (String line : files.lines("proc/stat")) {
                String[] words = line.split(" +", -1);
                if (words.length > 7 && words[0].startsWith("cpu") && isAllowed(words[0])) {
                    isKnown = true;
                    for (int field : new int[] {1, 2, 3, 6, 7}) {
                        ticks += CpuFiles.numberOr(words[field], 0);
                    }
                }
            }
            return isKnown ? ticks * TICK_MICROS : -1;
        }

        private boolean isAllowed(String cpu) {
            long number = cpu(cpu);
            return number < 0 ? allowed.isEmpty() && cpu.equals("cpu") : allowed.get((int) number);
        }
    }
}
