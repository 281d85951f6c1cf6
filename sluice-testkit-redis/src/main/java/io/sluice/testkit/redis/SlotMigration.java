package io.sluice.testkit.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A slot that is being moved from one master to another. A test can keep it in this state. Meanwhile, the source redirects with
 * ASK for keys that it does not have. A command with keys on both sides gets TRYAGAIN: from the source since Redis 7.0, before
 * that from the target.
 */
public final class SlotMigration {
    private static final String BATCH = "100";
    private static final String TIMEOUT_MILLIS = "5000";

    private final int slot;
    private final RedisProcess source;
    private final RedisProcess target;
    private final Consumer<SlotMigration> publish;

    SlotMigration(int slot, RedisProcess source, RedisProcess target, Consumer<SlotMigration> publish) {
        this.slot = slot;
        this.source = source;
        this.target = target;
        this.publish = publish;
        target.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", source.command("CLUSTER", "MYID"));
        source.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", target.command("CLUSTER", "MYID"));
    }

    public int slot() {
        return slot;
    }

    public RedisProcess source() {
        return source;
    }

    public RedisProcess target() {
        return target;
    }

    /** Moves these keys, but not the slot. */
    public void move(String... keys) {
        List<String> command = migrate();
        command.addAll(List.of(keys));
        source.reply(command.toArray(String[]::new));
    }

    /** Moves all keys of the source, but not the slot. */
    public void moveAll() {
        while (true) {
            Object keys = source.replyInBytes(List.of("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), BATCH));
            if (!(keys instanceof List<?> list) || list.isEmpty()) {
                return;
            }
            List<String> command = migrate();
            list.forEach(key -> command.add(String.valueOf(key)));
            source.replyInBytes(command);
        }
    }

    private List<String> migrate() {
        return new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", Integer.toString(target.port()), "", "0", TIMEOUT_MILLIS, "KEYS"));
    }

    /** Moves the remaining keys and gives the slot to the target. Returns when every running node knows that. */
    public void finish() {
        moveAll();
        publish.accept(this);
    }
}
