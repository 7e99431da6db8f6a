package io.sluice.admin.page;

import io.vertx.core.json.JsonObject;

/**
 * A value that has a limit.
 *
 * @param value negative if it is not known yet
 * @param limit 0 if it has none
 * @param worry the part of its limit from which on it is a reason to look
 * @param unit after the number: orders, s, bytes, connections
 */
record Bound(String name, double value, double limit, double worry, String unit) {
  boolean isOver() {
    return limit > 0 && value >= limit * worry;
  }

  JsonObject json() {
    return new JsonObject()
        .put("name", name)
        .put("value", value < 0 ? null : value)
        .put("limit", limit)
        .put("unit", unit)
        .put("over", isOver());
  }
}
