package io.sluice.ledger;

import io.sluice.model.IfMatch;
import io.sluice.model.IfMatch.StateTag;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buyers who may not place orders for a while, the same for all instances. Times are those of
 * the ledger's clock.
 */
public interface Blacklist {
  int PAGE_MAX = 1_000;
  int REASON_MAX = 256;

  /** How long a lifted ban is kept, so that every instance reads that it is lifted. */
  Duration LIFTED_KEPT_FOR = Duration.ofMinutes(10);

  /**
   * An entry.
   *
   * @param bannedUntilMs 0 if the ban was lifted
   * @param watchedUntilMs until when one more overrun is a ban
   * @param bannedBy the operator, or {@code sluice}
   * @param version rises with each change
   */
  record Ban(
      String userId,
      long bannedAtMs,
      long bannedUntilMs,
      long watchedUntilMs,
      String reason,
      String bannedBy,
      long version) {

    /** Whether the buyer is banned at this time. */
    public boolean holdsAt(long nowMs) {
      return bannedUntilMs > nowMs;
    }

    /** Differs if anything of the ban does. */
    public String tag() {
      return StateTag.of(userId, bannedAtMs, bannedUntilMs, watchedUntilMs, reason, bannedBy);
    }
  }

  /**
   * The validated body of a PUT.
   *
   * @param reason at most {@link #REASON_MAX} characters
   * @param put which of {@code ban_s} and {@code reason} it leaves out, and what it depends on
   */
  record NewBan(String userId, Terms terms, String reason, String by, Put put) {}

  /** The result of an operator's call. */
  sealed interface PutResult {
    /**
     * @param ban the entry as it is now
     * @param nowMs the ledger's clock
     * @param changed the fields that have other values than before; of a ban that held
     */
    record Done(Ban ban, long nowMs, List<String> changed) implements PutResult {}

    /** Nothing was written: the ban that holds is not what the call is meant for. */
    record Moved(boolean exists) implements PutResult {}
  }

  /** How long a buyer is banned, and watched after that. */
  record Terms(Duration ban, Duration watch) {}

  /**
   * Entries as they were at this time.
   *
   * @param nowMs the ledger's clock
   */
  record Page(List<Ban> bans, long nowMs) {}

  /** A buyer who has overrun his limit so long ago that he is to be banned. */
  record Overrun(String userId, Duration ago) {}

  /**
   * Bans these buyers, from when they overran their limit; none gets a shorter ban than he has.
   *
   * @param reason at most {@link #REASON_MAX} characters
   * @return their entries; none for a ban that would be over already
   */
  Future<Page> ban(List<Overrun> overruns, Terms terms, String reason, String by);

  /**
   * Bans a buyer from now on, however long he is banned; fields that the PUT leaves out of a ban
   * that holds are not changed.
   */
  Future<PutResult> put(NewBan ban);

  /**
   * Lifts the ban of a buyer, who is not watched either then.
   *
   * @param ifMatch what must hold
   */
  Future<PutResult> lift(String userId, IfMatch ifMatch, String by);

  /** The entry of a buyer, if there is one. */
  Future<Page> find(String userId);

  /**
   * A page of the entries that changed since this version, in that order.
   *
   * @param after the last entry of the page before; null for the first page
   */
  Future<Page> changes(long sinceVersion, @Nullable Ban after);

  /** Deletes some of the entries that have no effect any more. */
  Future<Integer> purge();
}
