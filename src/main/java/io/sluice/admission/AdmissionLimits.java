package io.sluice.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.sluice.admission.RequestWindows.Outcome;
import io.sluice.async.RateLimit;
import io.sluice.config.Cidr;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.SipHash128;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All limits of an instance, shared by its event loops. A limit that is off costs nothing.
 * Thread-safe.
 */
public final class AdmissionLimits {
  private static final int SKUS_MAX = 10_000;
  private static final int SOON_S = 1;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final int MS_PER_S = 1_000;
  private static final int MINUTE_S = 60;

  private final AdmissionConfig config;
  private final List<Cidr> proxies;
  private final BannedBuyers banned;
  private final LongSupplier sinceStartNanos;
  private final SipHash128 hash = secretHash();
  private final @Nullable RateLimit instance;
  private final @Nullable CallWindows addresses;
  private final @Nullable RequestWindows buyers;
  private final WrongSignatures wrongSignatures;
  private final Cache<Long, RateLimit> skus =
      Caffeine.newBuilder().maximumSize(SKUS_MAX).executor(Runnable::run).build();
  private final Map<Limit, Counter> refused = new EnumMap<>(Limit.class);
  private volatile Consumer<String> onBan = userId -> {};

  /**
   * @param proxies whose X-Forwarded-For is believed
   * @param nanoTime a monotonic clock
   */
  public AdmissionLimits(
      AdmissionConfig config,
      List<Cidr> proxies,
      BannedBuyers banned,
      LongSupplier nanoTime,
      Meters meters) {
    this.config = config;
    this.proxies = proxies;
    this.banned = banned;
    long startNanos = nanoTime.getAsLong();
    this.sinceStartNanos = () -> nanoTime.getAsLong() - startNanos;
    this.wrongSignatures = new WrongSignatures();
    this.instance =
        config.instancePerS() == 0 ? null : new RateLimit(config.instancePerS(), sinceStartNanos);
    this.addresses =
        config.addressPerMinute() == 0 ? null : new CallWindows(config.addressPerMinute());
    this.buyers =
        config.buyerPerMinute() == 0
            ? null
            : new RequestWindows(config.buyerPerMinute(), config.strikes());
    for (Limit limit : Limit.values()) {
      refused.put(limit, meters.admissionRefused(limit.policy()));
    }
  }

  /** Notifies of each buyer who is banned here for overruns, on the thread of the request. */
  public void onBan(Consumer<String> listener) {
    onBan = listener;
  }

  /** The banned buyers. */
  public BannedBuyers banned() {
    return banned;
  }

  /** Whether {@link #ofBuyer} can refuse anybody now. */
  public boolean bansAnybody() {
    return !banned.isEmpty();
  }

  /** Whether this buyer may place orders; null if so. */
  public @Nullable Excess ofBuyer(String userId) {
    long leftMs = banned.remainingMs(userId);
    return leftMs <= 0 ? null : excess(Limit.BLACKLIST, 0, config.banS(), leftMs);
  }

  /** Forgets what a buyer has asked for; called when a ban ends early. */
  public void forget(String userId) {
    if (buyers != null) {
      buyers.forget(id(userId));
    }
  }

  /** Whether there is a limit of calls. */
  public boolean limitsCalls() {
    return instance != null || addresses != null;
  }

  /** Whether calls count by address. */
  public boolean countsAddresses() {
    return addresses != null;
  }

  /** The address that a call counts for: {@link CallerAddress}. */
  public String address(@Nullable String peer, List<String> forwarded) {
    return CallerAddress.of(peer, forwarded, proxies);
  }

  /**
   * Counts a call for its address, before its body is read.
   *
   * @param address empty if {@link #countsAddresses} is false
   * @return when it was counted, for {@link #withdrawCall}: more than 0; 0 if it counts nowhere;
   *     less if it is over the limit
   */
  public long count(String address) {
    return addresses == null ? CallWindows.UNCOUNTED : addresses.admit(id(address), nowMs());
  }

  /**
   * Whether a call is over the limit of its address.
   *
   * @param counted what {@link #count} has returned for it
   * @return null if it is within the limit
   */
  public @Nullable Excess ofAddress(long counted) {
    return counted >= 0
        ? null
        : excess(Limit.ADDRESS, config.addressPerMinute(), MINUTE_S, -counted);
  }

  /** Counts a call for the instance; null if it is within the limit. */
  public @Nullable Excess ofInstance() {
    return instance == null || instance.take()
        ? null
        : excess(Limit.INSTANCE, config.instancePerS(), 1, SOON_S * MS_PER_S);
  }

  /**
   * Takes back a call that was answered 503: a caller who obeys Retry-After is not punished.
   *
   * @param counted what {@link #count} has returned for it
   */
  public void withdrawCall(String address, long counted) {
    if (addresses != null && counted > 0) {
      addresses.withdraw(id(address), counted);
    }
  }

  /**
   * Counts a request for an order: once for the buyer, and for each of its SKUs. A repeated one,
   * and one that is over the buyer's limit, takes nothing from the rate of a SKU: one buyer could
   * use it up for all.
   *
   * @param skuIds in order, at least one
   * @param requestKey the buyer's Idempotency-Key, or null: then there is one order per buyer and
   *     set of SKUs
   */
  public OrderVerdict ofOrder(String userId, long[] skuIds, @Nullable String requestKey) {
    long key = hash(requestKey == null ? "" : requestKey, skuIds);
    int taken = 0;
    while (taken < skuIds.length && (config.skuPerS() == 0 || rate(skuIds[taken]).take())) {
      taken++;
    }
    OrderVerdict verdict = ofOrder(userId, key, taken == skuIds.length);
    if (config.skuPerS() > 0 && (taken < skuIds.length || !isTaken(verdict))) {
      for (int i = 0; i < taken; i++) {
        rate(skuIds[i]).giveBack();
      }
    }
    return verdict;
  }

  /** Whether a request counts for the rates of its SKUs. */
  private static boolean isTaken(OrderVerdict verdict) {
    return !(verdict instanceof OrderVerdict.Over) && verdict != OrderVerdict.Uncounted.REPEATED;
  }

  private OrderVerdict ofOrder(String userId, long key, boolean hasRoom) {
    if (buyers == null) {
      return hasRoom ? OrderVerdict.Uncounted.FREE : overSku();
    }
    long id = id(userId);
    if (!hasRoom) {
      return buyers.isCounted(id, key, nowMs()) ? OrderVerdict.Uncounted.FREE : overSku();
    }
    Outcome verdict = buyers.admit(id, key, nowMs());
    if (verdict instanceof Outcome.Refused over) {
      return new OrderVerdict.Over(ofOverrun(userId, over));
    }
    if (verdict == Outcome.Admitted.COUNTED) {
      return new OrderVerdict.Counted(id, key);
    }
    return verdict == Outcome.Admitted.UNCOUNTED
        ? OrderVerdict.Uncounted.FREE
        : OrderVerdict.Uncounted.REPEATED;
  }

  private OrderVerdict overSku() {
    return new OrderVerdict.Over(excess(Limit.SKU, config.skuPerS(), 1, SOON_S * MS_PER_S));
  }

  /**
   * Whether this caller has sent too many wrong signatures to look at another one; null if not.
   *
   * @param buyer whom a gateway names; null if nobody is known yet
   * @param address as {@link #address} says
   */
  public @Nullable Excess ofSignature(@Nullable String buyer, String address) {
    WrongSignatures.Over over = wrongSignatures.over(buyer, address);
    if (over == null) {
      return null;
    }
    if (buyer != null && over.isBuyer()) {
      Excess ban = bannedAfter(buyer, wrongSignatures.overrun(buyer));
      if (ban != null) {
        return ban;
      }
    }
    return excess(Limit.SIGNATURE, over.limit(), MINUTE_S, over.retryAfterMs());
  }

  /** Counts a wrong signature for its sender. */
  public void wrongSignature(@Nullable String buyer, String address) {
    wrongSignatures.add(buyer, address);
  }

  /** Takes back a request for an order that was answered 503. */
  public void withdraw(OrderVerdict.Counted counted) {
    if (buyers != null) {
      buyers.withdraw(counted.id(), counted.key());
    }
  }

  /** Who overruns the window too often, or again soon after a ban, is banned. */
  private Excess ofOverrun(String userId, Outcome.Refused over) {
    Excess ban = over.fresh() ? bannedAfter(userId, over.overruns()) : null;
    return ban != null
        ? ban
        : excess(Limit.BUYER, config.buyerPerMinute(), MINUTE_S, over.retryAfterMs());
  }

  private @Nullable Excess bannedAfter(String userId, long overruns) {
    boolean tooOften = overruns >= config.strikes() || banned.isWatched(userId);
    long banMs = config.banS() * (long) MS_PER_S;
    if (config.strikes() == 0
        || !tooOften
        || !banned.ban(userId, banMs, config.secondLookS() * (long) MS_PER_S)) {
      return null;
    }
    onBan.accept(userId);
    return excess(Limit.BLACKLIST, 0, config.banS(), banMs);
  }

  private RateLimit rate(long skuId) {
    RateLimit known = skus.getIfPresent(skuId);
    return known != null
        ? known
        : skus.get(skuId, id -> new RateLimit(config.skuPerS(), sinceStartNanos));
  }

  private Excess excess(Limit limit, int quota, int windowS, long retryAfterMs) {
    Counter counter = refused.get(limit);
    if (counter != null) {
      counter.increment();
    }
    long retryS = Math.max(SOON_S, (retryAfterMs + MS_PER_S - 1) / MS_PER_S);
    return new Excess(limit, quota, windowS, (int) Math.min(Integer.MAX_VALUE, retryS));
  }

  /** The hash of a buyer or an address; never 0, which marks a free slot. */
  private long id(String text) {
    long id = hash(text);
    return id == 0 ? 1 : id;
  }

  private static SipHash128 secretHash() {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    return new SipHash128(secret);
  }

  /** Nobody who does not know the secret can choose two that have the same. */
  private long hash(String text, long... numbers) {
    byte[] bytes = text.getBytes(UTF_8);
    ByteBuffer input = ByteBuffer.allocate(4 + bytes.length + Long.BYTES * numbers.length);
    input.putInt(numbers.length).put(bytes);
    for (long number : numbers) {
      input.putLong(number);
    }
    return ByteBuffer.wrap(hash.hash(input.array())).getLong();
  }

  /** More than 0, which marks an empty word. */
  private long nowMs() {
    return sinceStartNanos.getAsLong() / NANOS_PER_MS + 1;
  }

  /**
   * A call that is over a limit.
   *
   * @param quota how many calls the limit allows; 0 if the buyer is banned
   * @param windowS in how many seconds
   * @param retryAfterS after how many seconds the limit has room again, at least 1
   */
  public record Excess(Limit limit, int quota, int windowS, int retryAfterS) {}

  /**
   * The limits that a call can exceed; the name is the policy's in the answer and the metric tag.
   */
  public enum Limit {
    BLACKLIST("blacklist"),
    ADDRESS("address"),
    INSTANCE("instance"),
    SKU("sku"),
    BUYER("buyer"),
    SIGNATURE("signature");

    private final String policy;

    Limit(String policy) {
      this.policy = policy;
    }

    /** Its name, e.g. {@code buyer}. */
    public String policy() {
      return policy;
    }
  }

  /** The answer of the limits to a request for an order. */
  public sealed interface OrderVerdict {
    /** Admitted, and counted nowhere. */
    enum Uncounted implements OrderVerdict {
      /** The limit is off, or cannot say more. */
      FREE,
      /** A retry. */
      REPEATED
    }

    /** Admitted and counted. */
    record Counted(long id, long key) implements OrderVerdict {}

    /** Refused. */
    record Over(Excess excess) implements OrderVerdict {}
  }

  /**
   * The wrong signatures of tokens and tickets in the last minute, by their senders. A sender is
   * the buyer whom a gateway names, the address (of IPv6 the first 64 bits), and the first 56 bits
   * of it. A sender of too many is refused before another signature is looked at, so that what all
   * may cost together is left to the others. Thread-safe; bounded as {@link SlotTable} says.
   */
  private final class WrongSignatures {
    private static final int OF_BUYER = 5;
    private static final int OF_ADDRESS = 30;
    private static final int OF_SITE = 120;

    /** Of a trusted proxy that does not say for whom it calls: they are many. */
    private static final int OF_PROXY = 6_000;

    /** 4 MiB, 8,192 senders. */
    private static final int WORDS_MAX = 1 << 19;

    private final CallWindows windows = new CallWindows(OF_BUYER, WORDS_MAX);

    /** Who may call for many; addresses here are those of sources, so theirs are as well. */
    private final List<Cidr> sources = proxies.stream().map(Cidr::ofSources).toList();

    /** A sender of tokens, and how many wrong ones are too many. */
    private record Sender(String name, int limit) {}

    /**
     * A caller who has sent too many.
     *
     * @param isBuyer whether it is the buyer, not the address
     */
    record Over(int limit, long retryAfterMs, boolean isBuyer) {}

    /** Whether this caller has sent too many; null if not. */
    @Nullable Over over(@Nullable String buyer, String address) {
      for (Sender sender : senders(buyer, address)) {
        long waitMs = windows.untilFewer(id(sender.name()), sender.limit(), nowMs());
        if (waitMs > 0) {
          return new Over(sender.limit(), waitMs, sender.limit() == OF_BUYER);
        }
      }
      return null;
    }

    /** Counts a wrong one. */
    void add(@Nullable String buyer, String address) {
      for (Sender sender : senders(buyer, address)) {
        windows.add(id(sender.name()), nowMs());
      }
    }

    /** Counts a buyer who goes on when there are too many, and returns how often he did. */
    long overrun(String buyer) {
      return windows.add(id("overrun " + buyer), nowMs());
    }

    private List<Sender> senders(@Nullable String buyer, String address) {
      List<Sender> found = new ArrayList<>();
      if (buyer != null) {
        found.add(new Sender("buyer " + buyer, OF_BUYER));
      }
      if (Cidr.anyContains(sources, address)) {
        found.add(new Sender(address, OF_PROXY));
        return found;
      }
      found.add(new Sender(address, OF_ADDRESS));
      String site = CallerAddress.site(address);
      if (site != null) {
        found.add(new Sender(site, OF_SITE));
      }
      return found;
    }
  }
}
