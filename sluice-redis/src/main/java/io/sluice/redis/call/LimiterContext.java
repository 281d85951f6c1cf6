package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.TimeSource;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LimiterKey;
import io.sluice.redis.script.KeyNames;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One limiter, as its calls know it: its name, its limits in force, the names of its keys, its answers without Redis. */
public final class LimiterContext {
    final String name;

    private final String shortName;

    /** Distinguishes limiters in the {@link DenialMemory}. */
    final int hash;

    final AgreedLimits agreement;
    final DenialMemory denials;
    final Events events;
    final ColdStart coldStart;
    final @Nullable TimeSource virtualTime;

    /** Whether it belongs to the warm-up and not to a user. Its calls are not reported. */
    final boolean internal;

    private final KeyNames names;
    private final byte[] keyPrefix;
    private final KeyChanges changes;
    private final Lanes lanes;
    private final Health health;
    private final LocalShares localShares;
    private final Holds holds;
    private volatile Fallback fallback;

    /**
     * A limiter of a user.
     *
     * @param explicit whether the options were set for this limiter, and are not the defaults of the store
     * @param gaveBack hears the keys to which permits were given back
     */
    public LimiterContext(
            CallServices services,
            AgreedLimits agreement,
            byte[] keyPrefix,
            LimiterOptions options,
            boolean explicit,
            Consumer<String> gaveBack) {
        this(services, agreement, keyPrefix, options.onFailure(), explicit, gaveBack, false);
    }

    LimiterContext(
            CallServices services,
            AgreedLimits agreement,
            byte[] keyPrefix,
            OnFailure onFailure,
            boolean explicit,
            Consumer<String> gaveBack,
            boolean internal) {
        this.name = agreement.name();
        this.shortName = KeyNames.shortName(name);
        this.hash = name.hashCode();
        this.agreement = agreement;
        this.keyPrefix = keyPrefix;
        this.internal = internal;
        this.names = services.names();
        this.denials = services.denials();
        this.events = services.events();
        this.coldStart = services.coldStart();
        this.virtualTime = services.virtualTime();
        this.health = services.health();
        this.localShares = services.localShares();
        this.lanes = services.lanes();
        this.holds = services.holds();
        this.changes = new KeyChanges(this, lanes, gaveBack);
        this.fallback = new Fallback(this, onFailure, explicit, health, localShares);
    }

    /** Whether it belongs to the store with these parts. */
    public boolean isOf(CallServices store) {
        return lanes == store.lanes();
    }

    public String name() {
        return name;
    }

    /** The name in ids of reservations and holds. */
    String idName() {
        return takesCallLimits() ? name : shortName;
    }

    /** The limits that this process and Redis have agreed on. */
    public AgreedLimits agreement() {
        return agreement;
    }

    /** Changes keys of the limiter without a decision. */
    public KeyChanges changes() {
        return changes;
    }

    /** Sends a call. */
    public <C extends Call<?>> C submit(C call) {
        lanes.submit(call);
        return call;
    }

    /** Blocks until a call has its answer, which it has by its deadline. */
    public <T> T await(Call<T> call) {
        return lanes.await(call);
    }

    /** The name of a key in Redis. */
    public byte[] keyName(String key) {
        return names.key(keyPrefix, key);
    }

    /** What the limiter does from now on when Redis does not answer. */
    public void onFailure(OnFailure onFailure) {
        if (fallback.how() != onFailure) {
            fallback = new Fallback(this, onFailure, true, health, localShares);
        }
    }

    /** A denial that this process still remembers, and that answers such a request; null if there is none. */
    public @Nullable Decision rememberedDenial(String key, long permits, @Nullable VersionedLimits callLimit) {
        Decision remembered = denials.find(this, key, permits, callLimit);
        if (remembered != null) {
            events.denialRemembered(name);
        }
        return remembered;
    }

    /** Whether this process remembers that so many permits, or fewer, were denied. */
    public boolean remembersDenial(String key, long permits) {
        boolean remembered = denials.isDenied(this, key, permits);
        if (remembered) {
            events.denialRemembered(name);
        }
        return remembered;
    }

    Fallback fallback() {
        return fallback;
    }

    /** Whether this process enforces its local share when Redis does not answer. */
    boolean hasLocalShare() {
        return fallback.how() == OnFailure.LOCAL && !takesCallLimits() && versions().counts;
    }

    /** Whether this process gives permits of its local share when Redis does not answer. */
    boolean hasLocalHolds() {
        return fallback.how() == OnFailure.LOCAL && (takesCallLimits() || versions().holds);
    }

    /** The holds of this process. */
    Holds holds() {
        return holds;
    }

    /** The time after which a hold lapses that is not renewed; 0 without concurrency limits. */
    long holdMicros() {
        return versions().holdMicros;
    }

    VersionedLimits versions() {
        return agreement.versions();
    }

    /** Whether Redis and this process know the same limits. */
    boolean isAgreed() {
        return agreement.isAgreed();
    }

    /** Whether the limits come with the calls. */
    boolean takesCallLimits() {
        return versions() == VersionedLimits.UNSPECIFIED;
    }

    /** With virtual time, denials are not remembered: the memory lives by the real clock. */
    boolean remembersDenials() {
        return virtualTime == null;
    }

    LimiterKey localKey(String key) {
        return new LimiterKey(agreement, key);
    }
}
