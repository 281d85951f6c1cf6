package io.sluice.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A proxy before Redis. It forwards commands at once, and can hold replies back. */
final class SlowReplies implements AutoCloseable {
    private final ServerSocket server;
    private final int redisPort;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private boolean held;
    private int accepted;

    /** The proxy drops all replies on connections up to this number. */
    private int dark;

    SlowReplies(int redisPort) {
        this.redisPort = redisPort;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inBackground(this::accept);
    }

    String uri() {
        return "redis://127.0.0.1:" + server.getLocalPort();
    }

    void hold() {
        set(true);
    }

    void release() {
        set(false);
    }

    /** Drops all replies on the present connections without closing them. New connections work. */
    void darken() {
        lock.lock();
        try {
            dark = accepted;
        } finally {
            lock.unlock();
        }
    }

    private void set(boolean held) {
        lock.lock();
        try {
            this.held = held;
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitRelease(int number) {
        lock.lock();
        try {
            while (held || number <= dark) {
                released.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Until the sockets are closed. */
    private static void inBackground(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // Closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort);
            client.setTcpNoDelay(true);
            redis.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(redis);
            inBackground(() -> copy(client, redis, () -> {}));
            int number = next();
            inBackground(() -> copy(redis, client, () -> awaitRelease(number)));
        }
    }

    private int next() {
        lock.lock();
        try {
            return ++accepted;
        } finally {
            lock.unlock();
        }
    }

    private static void copy(Socket from, Socket to, Runnable before) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[65_536];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                before.run();
                out.write(bytes, 0, n);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            dark = 0;
        } finally {
            lock.unlock();
        }
        release();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
