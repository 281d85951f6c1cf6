package io.sluice.redis.connect;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.sluice.redis.script.Script;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An open Lettuce connection to a single Redis or to a cluster. Sends scripts and commands. */
public final class Link {
    private final StatefulConnection<byte[], byte[]> connection;

    Link(StatefulConnection<?, ?> connection) {
        this.connection = asBytes(connection);
    }

    /** The codec of the connection does not matter: every command has its own. */
    @SuppressWarnings("unchecked")
    private static StatefulConnection<byte[], byte[]> asBytes(StatefulConnection<?, ?> connection) {
        return (StatefulConnection<byte[], byte[]>) connection;
    }

    StatefulConnection<?, ?> connection() {
        return connection;
    }

    public boolean isCluster() {
        return connection instanceof StatefulRedisClusterConnection;
    }

    public boolean isOpen() {
        return connection.isOpen();
    }

    /** The cluster slot of a key; 0 without a cluster. Keys of one slot can be in one script call. */
    public int slotOf(byte[] key) {
        return isCluster() ? SlotHash.getSlot(key) : 0;
    }

    /** The id of the server that has a slot; empty without a cluster. */
    public String shardOf(int slot) {
        if (connection instanceof StatefulRedisClusterConnection<?, ?> cluster) {
            RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(slot);
            return node == null ? "" : node.getNodeId();
        }
        return "";
    }

    /** The number of servers with slots: 1, or the masters of a cluster. */
    public int servers() {
        if (connection instanceof StatefulRedisClusterConnection<?, ?> cluster) {
            return (int) cluster.getPartitions().stream()
                    .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                            && !node.getSlots().isEmpty())
                    .count();
        }
        return 1;
    }

    /** Calls a script. Sends the text if Redis does not have it. Returns an action that cancels the call. */
    public Runnable call(
            Script script,
            List<byte[]> keys,
            List<byte[]> values,
            BiConsumer<byte @Nullable [], @Nullable Throwable> then) {
        CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
        AsyncCommand<byte[], byte[], byte[]> command = evalsha(script, keys, values, bytes());
        command.whenComplete((reply, failure) -> {
            if (failure instanceof RedisNoScriptException) {
                AsyncCommand<byte[], byte[], byte[]> withText = eval(script, keys, values, bytes());
                withText.whenComplete(then);
                cancelled.thenRun(() -> withText.cancel(false));
            } else {
                then.accept(reply, failure);
            }
        });
        cancelled.thenRun(() -> command.cancel(false));
        return () -> cancelled.complete(null);
    }

    /** Calls a script that replies with a list. */
    public CompletableFuture<List<byte[]>> list(Script script, List<byte[]> keys, List<byte[]> values) {
        CompletableFuture<List<byte[]>> answer = new CompletableFuture<>();
        evalsha(script, keys, values, list()).whenComplete((reply, failure) -> {
            if (failure instanceof RedisNoScriptException) {
                forward(eval(script, keys, values, list()), answer);
            } else {
                settle(answer, reply, failure);
            }
        });
        return answer;
    }

    /** Runs a plain command. */
    public <T> CompletableFuture<T> run(
            ProtocolKeyword keyword, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> arguments) {
        return dispatch(keyword, output, arguments).toCompletableFuture();
    }

    public static CommandArgs<byte[], byte[]> arguments() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }

    public static CommandOutput<byte[], byte[], byte[]> bytes() {
        return new ValueOutput<>(ByteArrayCodec.INSTANCE);
    }

    public static CommandOutput<byte[], byte[], List<byte[]>> list() {
        return new ValueListOutput<>(ByteArrayCodec.INSTANCE);
    }

    public static CommandOutput<byte[], byte[], Long> integer() {
        return new IntegerOutput<>(ByteArrayCodec.INSTANCE);
    }

    private static <T> void forward(CompletionStage<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> settle(to, value, failure));
    }

    private static <T> void settle(CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    private <T> AsyncCommand<byte[], byte[], T> evalsha(
            Script script, List<byte[]> keys, List<byte[]> values, CommandOutput<byte[], byte[], T> output) {
        CommandArgs<byte[], byte[]> arguments = arguments().add(script.digest());
        return dispatch(CommandType.EVALSHA, output, scriptArguments(arguments, keys, values));
    }

    private <T> AsyncCommand<byte[], byte[], T> eval(
            Script script, List<byte[]> keys, List<byte[]> values, CommandOutput<byte[], byte[], T> output) {
        CommandArgs<byte[], byte[]> arguments = arguments().add(script.text());
        return dispatch(CommandType.EVAL, output, scriptArguments(arguments, keys, values));
    }

    private static CommandArgs<byte[], byte[]> scriptArguments(
            CommandArgs<byte[], byte[]> arguments, List<byte[]> keys, List<byte[]> values) {
        arguments.add(keys.size());
        keys.forEach(arguments::addKey);
        values.forEach(arguments::addValue);
        return arguments;
    }

    private <T> AsyncCommand<byte[], byte[], T> dispatch(
            ProtocolKeyword keyword, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> arguments) {
        AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(keyword, output, arguments));
        try {
            connection.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
        return command;
    }

    CompletableFuture<Void> close() {
        return connection.closeAsync();
    }
}
