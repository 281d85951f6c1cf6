package io.sluice.redis.script;

/** A number that Java and Lua share. A Lua fragment uses {@link #name}; {@link Script} puts {@link #code} in its place. */
public interface LuaConstant {
    /** The name in Lua. */
    String name();

    /** The number that travels between Java and Lua, or is stored in Redis. It never changes. */
    int code();
}
