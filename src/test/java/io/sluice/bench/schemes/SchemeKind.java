package io.sluice.bench.schemes;

import java.util.function.Function;

/** The schemes: their names in the report, and what a crash between their steps loses by design. */
public enum SchemeKind {
  LUA_ALONE(
      "Redis Lua alone",
      LuaAlone::new,
      "nothing: there is one step; Redis itself loses its last second of orders"),
  LOCKED_DATABASE(
      "distributed lock + database",
      LockedDatabase::new,
      "the lock stays until it expires: no sales for 5 s; a pause longer than that lets two in"),
  OPTIMISTIC_VERSION(
      "database, optimistic version",
      OptimisticVersion::new,
      "nothing: one transaction; most buyers lose the race instead and get a conflict"),
  CONDITIONAL_UPDATE(
      "database, conditional UPDATE", ConditionalUpdate::new, "nothing: one transaction"),
  DECREMENT_AND_MARK(
      "DECR + SETNX on the remainder",
      DecrementAndMark::new,
      "the unit: deducted and marked, without an order"),
  INCREMENT_TO_CEILING(
      "INCR up to a ceiling + SETNX",
      IncrementToCeiling::new,
      "the unit: consumed and marked, without an order"),
  QUEUED_ONE_BY_ONE(
      "Redis + queue, one transaction an order",
      QueuedOneByOne::new,
      "the unit: deducted in Redis, and never in the queue");

  private final String title;
  private final Function<SchemeParts, Scheme> maker;
  private final String loses;

  SchemeKind(String title, Function<SchemeParts, Scheme> maker, String loses) {
    this.title = title;
    this.maker = maker;
    this.loses = loses;
  }

  public String title() {
    return title;
  }

  public String loses() {
    return loses;
  }

  Scheme make(SchemeParts parts) {
    return maker.apply(parts);
  }
}
