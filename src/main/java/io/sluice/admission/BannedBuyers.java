package io.sluice.admission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The banned buyers that this instance knows, and those who were banned recently and are watched.
 * Thread-safe; asked with each order, without a call to anybody.
 *
 * <p>Times are counted down on this machine's monotonic clock from what is left of them on the
 * ledger's, so no wall clock matters. At most {@link #MAX} buyers are banned for overruns: bans are
 * neither replaced nor dropped, the next overrunner is only limited.
 */
public final class BannedBuyers {
  public static final int MAX = 100_000;

  /** How long an entry without effect is kept, to ignore older news of it. */
  private static final long KEPT_MS = 60_000;

  private final LongSupplier nanoTime;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** The version of a ban of this instance that it has not seen in the ledger. */
  private static final long UNWRITTEN = 0;

  /**
   * An entry; times on the monotonic clock.
   *
   * @param version of the ledger, or {@link #UNWRITTEN}
   * @param changedMs when it changed
   */
  private record Entry(
      long version, long changedMs, long bannedUntilMs, long watchedUntilMs, long keptUntilMs) {

    /**
     * A change before a ban of this instance says nothing about it. News of the same version are
     * better the earlier they date it, since they can only be late.
     */
    boolean isReplacedBy(Entry told) {
      if (version == UNWRITTEN) {
        return told.changedMs >= changedMs;
      }
      return told.version == version ? told.changedMs <= changedMs : told.version > version;
    }
  }

  /**
   * @param nanoTime a monotonic clock
   */
  public BannedBuyers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether nobody is on the list. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The number of buyers on the list, watched ones included. */
  public int size() {
    return entries.size();
  }

  /** Whether the ledger's entry of a buyer is known here as of this version, or a later one. */
  public boolean knows(String userId, long version) {
    Entry entry = entries.get(userId);
    return entry != null && entry.version() >= version;
  }

  /** The rest of a buyer's ban; 0 or less if there is none. */
  long remainingMs(String userId) {
    Entry entry = entries.get(userId);
    return entry == null ? 0 : entry.bannedUntilMs() - nowMs();
  }

  /** Whether one overrun is enough to ban this buyer. */
  boolean isWatched(String userId) {
    Entry entry = entries.get(userId);
    return entry != null && entry.watchedUntilMs() > nowMs();
  }

  /** Bans a buyer here, until the ledger is heard; false if he is banned, or the list full. */
  boolean ban(String userId, long banMs, long watchMs) {
    long nowMs = nowMs();
    Entry before = entries.get(userId);
    if (before == null ? entries.size() >= MAX : before.bannedUntilMs() > nowMs) {
      return false;
    }
    long until = nowMs + banMs;
    Entry mine = new Entry(UNWRITTEN, nowMs, until, until + watchMs, until + watchMs);
    return before == null
        ? entries.putIfAbsent(userId, mine) == null
        : entries.replace(userId, before, mine);
  }

  /**
   * An entry of the ledger; times are what is left of them, 0 or less if they are over.
   *
   * @param agoMs how long ago it changed
   */
  public record News(String userId, long version, long agoMs, long banMs, long watchMs) {}

  /**
   * Takes over an entry of the ledger, unless a newer one is known.
   *
   * @return whether a ban has ended with it
   */
  public boolean learn(News news) {
    long nowMs = nowMs();
    Entry told =
        new Entry(
            news.version(),
            nowMs - news.agoMs(),
            nowMs + news.banMs(),
            nowMs + news.watchMs(),
            nowMs + Math.max(KEPT_MS, Math.max(news.banMs(), news.watchMs())));
    Entry before = entries.get(news.userId());
    Entry after =
        entries.merge(
            news.userId(), told, (known, heard) -> known.isReplacedBy(heard) ? heard : known);
    return told.equals(after)
        && before != null
        && before.bannedUntilMs() > nowMs
        && news.banMs() <= 0;
  }

  /** Drops the entries without effect; called by a timer. */
  public void expire() {
    long nowMs = nowMs();
    entries.values().removeIf(entry -> entry.keptUntilMs() <= nowMs);
  }

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong());
  }
}
