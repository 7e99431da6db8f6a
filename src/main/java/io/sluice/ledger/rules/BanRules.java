package io.sluice.ledger.rules;

import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.NewBan;
import io.sluice.ledger.Blacklist.PutResult;
import io.sluice.ledger.Put;
import io.sluice.ledger.rules.SkuRules.PutRules;
import io.sluice.model.IfMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides what an operator's call makes of the entry of a buyer. Pure. An entry without a ban that
 * holds now is for operators as none; its version goes on.
 */
public final class BanRules {
  private BanRules() {}

  /**
   * A ban that exists keeps what the PUT leaves out, and the operator who set it if nothing
   * changes.
   */
  public static PutResult put(Optional<Ban> entry, NewBan wanted, long nowMs) {
    Optional<Ban> holds = entry.filter(ban -> ban.holdsAt(nowMs));
    Put put = wanted.put();
    if (!put.ifMatch().isMet(holds.map(Ban::tag))) {
      return new PutResult.Moved(holds.isPresent());
    }
    long untilMs = nowMs + wanted.terms().ban().toMillis();
    Ban fresh =
        new Ban(
            wanted.userId(),
            nowMs,
            untilMs,
            untilMs + wanted.terms().watch().toMillis(),
            wanted.reason(),
            wanted.by(),
            nextVersion(entry, nowMs));
    return holds
        .<PutResult>map(was -> changed(was, fresh, put, nowMs))
        .orElseGet(() -> new PutResult.Done(fresh, nowMs, List.of()));
  }

  private static PutResult changed(Ban was, Ban fresh, Put put, long nowMs) {
    Ban times = put.leaves("ban_s") ? was : fresh;
    Ban now =
        new Ban(
            was.userId(),
            times.bannedAtMs(),
            times.bannedUntilMs(),
            times.watchedUntilMs(),
            put.leaves("reason") ? was.reason() : fresh.reason(),
            fresh.bannedBy(),
            fresh.version());
    List<String> changed = new ArrayList<>();
    PutRules.addChanged("ban_s", was.bannedUntilMs(), now.bannedUntilMs(), changed);
    PutRules.addChanged("reason", was.reason(), now.reason(), changed);
    return new PutResult.Done(changed.isEmpty() ? was : now, nowMs, changed);
  }

  /** Nobody is banned, nor watched, afterwards; the same if nobody was. */
  public static PutResult lift(
      Optional<Ban> entry, String userId, IfMatch ifMatch, String by, long nowMs) {
    Optional<Ban> holds = entry.filter(ban -> ban.holdsAt(nowMs));
    return ifMatch.isMet(holds.map(Ban::tag))
        ? new PutResult.Done(
            new Ban(userId, nowMs, 0, 0, "", by, nextVersion(entry, nowMs)), nowMs, List.of())
        : new PutResult.Moved(holds.isPresent());
  }

  /** A version is a time, so that it is higher than that of an entry that was deleted. */
  private static long nextVersion(Optional<Ban> entry, long nowMs) {
    return entry.map(ban -> Math.max(ban.version() + 1, nowMs)).orElse(nowMs);
  }
}
