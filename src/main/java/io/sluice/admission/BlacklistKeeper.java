package io.sluice.admission;

import io.sluice.admission.BannedBuyers.News;
import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.TimeLimit;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.NewBan;
import io.sluice.ledger.Blacklist.Overrun;
import io.sluice.ledger.Blacklist.Page;
import io.sluice.ledger.Blacklist.PutResult;
import io.sluice.ledger.Blacklist.Terms;
import io.sluice.ledger.Put;
import io.sluice.ledger.rules.EventType;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.model.IfMatch;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blacklist of all instances, as this one knows and changes it. Its bans are written in the
 * background; a ban that cannot be written yet holds here meanwhile.
 */
public final class BlacklistKeeper {
  private static final Logger log = LoggerFactory.getLogger(BlacklistKeeper.class);

  /** The name under which overrunners are banned. */
  public static final String SLUICE = "sluice";

  static final String REASON = "placed orders over the limit again and again";

  /** How often {@link #tick} is to be called. */
  public static final Duration TICK = Duration.ofSeconds(1);

  /** The number of ticks between two reads of what has changed: events may be lost. */
  static final int READ_EVERY = 5;

  /** The number of ticks between two reads of everything: the ledger's clock may be set. */
  static final int READ_ALL_EVERY = 60;

  /** More bans than this wait for no ledger; they hold here alone. */
  static final int WAITING_MAX = 10_000;

  private static final int BATCH_MAX = 500;

  /** How long the end of an instance waits for its last bans to be written. */
  private static final long LAST_WRITE_MS = 1_000;

  /** A change becomes visible some time after its version was drawn. */
  private static final long OVERLAP_MS = 30_000;

  private final Blacklist ledger;
  private final EventPublisher events;
  private final int partitions;
  private final AdmissionLimits limits;
  private final BannedBuyers banned;
  private final Terms terms;
  private final Executor home;
  private final LongSupplier nanoTime;
  private final Meters meters;
  private final BackgroundTask writing = new BackgroundTask("blacklist write", this::writeSome);
  private final BackgroundTask reading = new BackgroundTask("blacklist read", this::readAgain);

  /** Overrunners that are not written yet, and when they were banned. */
  private final Map<String, Long> waiting = new LinkedHashMap<>();

  private long ticks;
  private long readUpTo;

  /**
   * @param partitions of the order log; 0 if there is none
   * @param limits whose overrunners it writes
   * @param home runs a task on the context of this object
   */
  public BlacklistKeeper(
      Blacklist ledger,
      EventPublisher events,
      int partitions,
      AdmissionLimits limits,
      Terms terms,
      Executor home,
      LongSupplier nanoTime,
      Meters meters) {
    this.ledger = ledger;
    this.events = events;
    this.partitions = partitions;
    this.limits = limits;
    this.banned = limits.banned();
    this.terms = terms;
    this.home = home;
    this.nanoTime = nanoTime;
    this.meters = meters;
    meters.bannedBuyers(banned::size);
    limits.onBan(userId -> home.execute(() -> overrun(userId)));
  }

  // ---- what this instance does

  private void overrun(String userId) {
    meters.count(Rare.ADMISSION_BANS);
    if (waiting.size() < WAITING_MAX) {
      waiting.put(userId, nanoTime.getAsLong());
      writing.wake();
    } else {
      meters.count(Rare.ADMISSION_BANS_UNWRITTEN);
    }
  }

  private Future<Boolean> writeSome() {
    Map<String, Long> some =
        waiting.entrySet().stream()
            .limit(BATCH_MAX)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    if (some.isEmpty()) {
      return Future.succeededFuture(false);
    }
    long nowNanos = nanoTime.getAsLong();
    List<Overrun> overruns = new ArrayList<>();
    some.forEach(
        (userId, atNanos) ->
            overruns.add(new Overrun(userId, Duration.ofNanos(nowNanos - atNanos))));
    return ledger
        .ban(overruns, terms, REASON, SLUICE)
        .compose(
            page -> {
              some.forEach(waiting::remove);
              return tell(page).map(!waiting.isEmpty());
            });
  }

  /**
   * Bans a buyer; completes when it is in the ledger. Any thread.
   *
   * @param put which of the values it leaves out, and what it depends on
   */
  public Future<PutResult> put(String userId, Duration ban, String reason, Put put, String by) {
    return ledger
        .put(new NewBan(userId, new Terms(ban, terms.watch()), reason, by, put))
        .compose(this::tell);
  }

  /** Lifts the ban of a buyer; completes when that is in the ledger. Any thread. */
  public Future<PutResult> lift(String userId, IfMatch ifMatch, String by) {
    return ledger.lift(userId, ifMatch, by).compose(this::tell);
  }

  private Future<PutResult> tell(PutResult result) {
    return result instanceof PutResult.Done done
        ? tell(new Page(List.of(done.ban()), done.nowMs())).map(result)
        : Future.succeededFuture(result);
  }

  /** The entry of a buyer. Any thread. */
  public Future<Page> find(String userId) {
    return ledger.find(userId);
  }

  /** Applies a change here and tells the others, who read it a little later if they miss it. */
  private Future<Page> tell(Page page) {
    learn(page);
    if (partitions == 0) {
      return Future.succeededFuture(page);
    }
    Map<Integer, List<Event>> told =
        page.bans().stream()
            .collect(
                Collectors.groupingBy(
                    ban -> Math.floorMod(ban.userId().hashCode(), partitions),
                    Collectors.mapping(
                        ban -> new BlacklistEvent(ban, page.nowMs()).written(),
                        Collectors.toList())));
    return Future.join(
            told.entrySet().stream()
                .map(part -> events.publish(part.getKey(), part.getValue()))
                .toList())
        .transform(
            (all, failure) -> {
              if (failure != null) {
                log.atDebug().setCause(failure).log("change of the blacklist was not published");
              }
              return Future.succeededFuture(page);
            });
  }

  // ---- what it learns

  /**
   * Whether this event is a change of the blacklist, which is read from the ledger then, unless it
   * is known: an event alone bans nobody. One look at the ledger makes the other events of a burst
   * known. Any thread.
   */
  public boolean hear(Event event) {
    if (!event.type().equals(BlacklistEvent.TYPE)) {
      return false;
    }
    home.execute(
        () -> {
          Long version = event.number("version");
          if (version == null || !banned.knows(event.key(), version)) {
            reading.wake();
          }
        });
    return true;
  }

  /** Reads the whole list; the instance serves nobody before. */
  public Future<Void> load() {
    return Future.future(loaded -> home.execute(() -> readFrom(0).onComplete(loaded)));
  }

  /** Called by a timer. Any thread. */
  public void tick() {
    home.execute(this::work);
  }

  /**
   * Ends the background work, then writes the bans that still wait, if the ledger takes them soon:
   * nobody else knows of them.
   */
  public Future<Void> close() {
    return Future.future(
        closed ->
            home.execute(
                () ->
                    Future.join(writing.stop(), reading.stop())
                        .transform(ended -> TimeLimit.of(LAST_WRITE_MS, writeAll()))
                        .<Void>transform(written -> Future.succeededFuture())
                        .onComplete(closed)));
  }

  private Future<Void> writeAll() {
    return AsyncLoop.whileTrue(this::writeSome);
  }

  private void work() {
    ticks++;
    writing.wake();
    // Without an order log no event tells.
    if (ticks % READ_EVERY == 0 || partitions == 0) {
      reading.wake();
    }
  }

  private Future<Boolean> readAgain() {
    banned.expire();
    boolean all = ticks % READ_ALL_EVERY == 0;
    return readFrom(all ? 0 : readUpTo - OVERLAP_MS)
        .compose(read -> all ? ledger.purge().mapEmpty() : Future.succeededFuture())
        .map(false);
  }

  private Future<Void> readFrom(long version) {
    AtomicReference<@Nullable Ban> last = new AtomicReference<>();
    return AsyncLoop.whileTrue(
        () ->
            ledger
                .changes(version, last.get())
                .map(
                    page -> {
                      learn(page);
                      if (page.bans().isEmpty()) {
                        return false;
                      }
                      Ban end = page.bans().get(page.bans().size() - 1);
                      last.set(end);
                      readUpTo = Math.max(readUpTo, end.version());
                      return page.bans().size() == Blacklist.PAGE_MAX;
                    }));
  }

  private void learn(Page page) {
    for (Ban ban : page.bans()) {
      if (banned.learn(news(ban, page.nowMs()))) {
        limits.forget(ban.userId());
        home.execute(() -> waiting.remove(ban.userId()));
      }
    }
  }

  /** A version is the time of its change. */
  private static News news(Ban ban, long nowMs) {
    return new News(
        ban.userId(),
        ban.version(),
        nowMs - ban.version(),
        ban.bannedUntilMs() - nowMs,
        ban.watchedUntilMs() - nowMs);
  }

  /**
   * The event of a change of the blacklist: instances that get it read the blacklist again.
   *
   * @param nowMs when it was read, by the ledger's clock
   */
  record BlacklistEvent(Ban ban, long nowMs) {
    static final String TYPE = EventType.BLACKLIST_CHANGED.name();

    Event written() {
      JsonObject json =
          new JsonObject()
              .put("type", TYPE)
              .put("user_id", ban.userId())
              .put("banned_at", ban.bannedAtMs())
              .put("banned_until", ban.bannedUntilMs())
              .put("watched_until", ban.watchedUntilMs())
              .put("reason", ban.reason())
              .put("banned_by", ban.bannedBy())
              .put("version", ban.version())
              .put("at", nowMs);
      return new Event(TYPE, ban.userId(), json.encode());
    }
  }
}
