package io.sluice.admission.blacklist;

import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.rules.EventType;
import io.sluice.model.Limits;
import io.sluice.orderlog.Event;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * The event of a change of the blacklist.
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

  /** Empty where this build cannot read it. */
  static Optional<BlacklistEvent> read(String payload) {
    try {
      JsonObject json = new JsonObject(payload);
      Ban ban =
          new Ban(
              json.getString("user_id", ""),
              json.getLong("banned_at", 0L),
              json.getLong("banned_until", 0L),
              json.getLong("watched_until", 0L),
              json.getString("reason", ""),
              json.getString("banned_by", ""),
              json.getLong("version", 0L));
      long nowMs = json.getLong("at", 0L);
      return Limits.isUserId(ban.userId()) && ban.version() > 0 && nowMs > 0
          ? Optional.of(new BlacklistEvent(ban, nowMs))
          : Optional.empty();
    } catch (DecodeException | ClassCastException notOfOurs) {
      return Optional.empty();
    }
  }
}
