package io.sluice.admission.blacklist;

import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.rules.EventType;
import io.sluice.orderlog.Event;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * The event of a change of the blacklist: instances that get it read the blacklist again.
 *
 * @param nowMs when it was read, by the ledger's clock
 */
record BlacklistEvent(Ban ban, long nowMs) {
  static final String TYPE = EventType.BLACKLIST_CHANGED.name();

  /** The version of the change that this event tells of; the highest if it tells none. */
  static long versionIn(Event event) {
    try {
      Object version = new JsonObject(event.payload()).getValue("version");
      return version instanceof Number number ? number.longValue() : Long.MAX_VALUE;
    } catch (DecodeException unreadable) {
      return Long.MAX_VALUE;
    }
  }

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
