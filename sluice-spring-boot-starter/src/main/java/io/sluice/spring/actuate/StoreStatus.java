package io.sluice.spring.actuate;

import io.sluice.memory.MemoryStore;
import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is known about the store at present. Asking it sends nothing to the store. */
interface StoreStatus {
    /** {@code memory} or {@code redis}; the name of the class for another store. */
    String kind();

    /** Whether the store answers. */
    boolean available();

    /** Whether the store can be away: then decisions are made without it. */
    boolean canFail();

    /** The fields for a reader. */
    default Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind());
        fields.put("available", available());
        return fields;
    }

    /** A store that is part of this process, or of the application. */
    record Local(PolicyStore store) implements StoreStatus {
        @Override
        public String kind() {
            return store instanceof MemoryStore ? "memory" : store.getClass().getName();
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public boolean canFail() {
            return false;
        }
    }

    /** The store in Redis. */
    record Redis(RedisStore store) implements StoreStatus {
        @Override
        public String kind() {
            return "redis";
        }

        @Override
        public boolean available() {
            return store.isAvailable();
        }

        @Override
        public boolean canFail() {
            return true;
        }

        @Override
        public Map<String, Object> fields() {
            Map<String, Object> fields = StoreStatus.super.fields();
            fields.put("processes", store.processes());
            return fields;
        }
    }
}
