package io.sluice.ledger;

import io.sluice.ledger.rules.BanRules;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** A blacklist that dies with the process. */
public final class InMemoryBlacklist implements Blacklist {
  private final Map<String, Ban> bans = new ConcurrentHashMap<>();
  private final LongSupplier nowMs;

  /** While it is away, every call fails. */
  public volatile boolean away;

  /** How often changes were read. */
  public int reads;

  public InMemoryBlacklist(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  @Override
  public Future<Page> ban(List<Overrun> overruns, Terms terms, String reason, String by) {
    return answer(
        overruns.stream()
            .filter(overrun -> overrun.ago().compareTo(terms.ban()) < 0)
            .map(
                overrun ->
                    bans.merge(
                        overrun.userId(),
                        entry(
                            overrun.userId(),
                            nowMs.getAsLong() - overrun.ago().toMillis(),
                            terms,
                            reason,
                            by),
                        InMemoryBlacklist::longer))
            .toList());
  }

  private static Ban longer(Ban before, Ban now) {
    Ban kept = now.bannedUntilMs() > before.bannedUntilMs() ? now : before;
    return new Ban(
        kept.userId(),
        kept.bannedAtMs(),
        kept.bannedUntilMs(),
        Math.max(before.watchedUntilMs(), now.watchedUntilMs()),
        kept.reason(),
        kept.bannedBy(),
        Math.max(before.version() + 1, now.version()));
  }

  @Override
  public Future<PutResult> put(NewBan wanted) {
    return changed(wanted.userId(), was -> BanRules.put(was, wanted, nowMs.getAsLong()));
  }

  @Override
  public Future<PutResult> lift(String userId, IfMatch ifMatch, String by) {
    return changed(userId, was -> BanRules.lift(was, userId, ifMatch, by, nowMs.getAsLong()));
  }

  private Future<PutResult> changed(String userId, Function<Optional<Ban>, PutResult> decision) {
    if (away) {
      return Future.failedFuture(gone());
    }
    PutResult result = decision.apply(Optional.ofNullable(bans.get(userId)));
    if (result instanceof PutResult.Done done) {
      bans.put(userId, done.ban());
    }
    return Future.succeededFuture(result);
  }

  private Ban entry(String userId, long fromMs, Terms terms, String reason, String by) {
    long untilMs = fromMs + terms.ban().toMillis();
    long watchedMs = untilMs + terms.watch().toMillis();
    return new Ban(userId, fromMs, untilMs, watchedMs, reason, by, nowMs.getAsLong());
  }

  @Override
  public Future<Page> find(String userId) {
    Ban ban = bans.get(userId);
    return answer(ban == null ? List.of() : List.of(ban));
  }

  @Override
  public Future<Page> changes(long sinceVersion, Ban after) {
    reads++;
    Comparator<Ban> order = Comparator.comparing(Ban::version).thenComparing(Ban::userId);
    return answer(
        bans.values().stream()
            .filter(ban -> ban.version() >= sinceVersion)
            .filter(ban -> after == null || order.compare(ban, after) > 0)
            .sorted(order)
            .limit(PAGE_MAX)
            .toList());
  }

  @Override
  public Future<Integer> purge() {
    int before = bans.size();
    long now = nowMs.getAsLong();
    bans.values()
        .removeIf(
            ban ->
                Math.max(ban.watchedUntilMs(), ban.bannedAtMs()) + LIFTED_KEPT_FOR.toMillis()
                    < now);
    return away ? Future.failedFuture(gone()) : Future.succeededFuture(before - bans.size());
  }

  private Future<Page> answer(List<Ban> found) {
    return away
        ? Future.failedFuture(gone())
        : Future.succeededFuture(new Page(found, nowMs.getAsLong()));
  }

  private static LedgerUnavailableException gone() {
    return new LedgerUnavailableException("away", new IllegalStateException("away"));
  }
}
