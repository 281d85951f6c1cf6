package com.example.orders;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** The orders of this instance that are not shipped yet. */
@Component
class Orders {
    private final AtomicLong ids = new AtomicLong();
    private final Queue<Order> waiting = new ConcurrentLinkedQueue<>();

    Order add(String tenant, String item) {
        Order order = new Order(ids.incrementAndGet(), tenant, item);
        waiting.add(order);
        return order;
    }

    /** The first one came first. */
    List<Order> waiting() {
        return List.copyOf(waiting);
    }

    void shipped(Order order) {
        waiting.remove(order);
    }
}
