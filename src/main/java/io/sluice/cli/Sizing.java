package io.sluice.cli;

import io.vertx.core.json.JsonObject;

/** What a sale needs at its peak, by the formula of the page on deploying it. */
final class Sizing {
  /** Microseconds of a processor in a second, six tenths of which are to be in use. */
  private static final double CORE_US = 600_000;

  private static final int SERVICE_US = 214;
  private static final int REFUSAL_US = 13;
  private static final int REDIS_US = 72;
  private static final int KAFKA_US = 46;
  private static final int DATABASE_US = 125;

  private static final long REDIS_BYTES = 64_000_000;
  private static final int REDIS_ORDER_BYTES = 155;
  private static final long POOL_BYTES = 1_000_000_000;
  private static final int POOL_ORDER_BYTES = 70;
  private static final int DATABASE_ORDER_BYTES = 500;
  private static final int LOG_ORDER_BYTES = 335;
  private static final int EVENT_BYTES = 450;

  private Sizing() {}

  /**
   * Computes it; cores of Redis beyond one need as many primaries.
   *
   * @param granted orders a second
   * @param refused requests a second
   * @param orders in all
   * @param events of an order
   */
  static JsonObject of(long granted, long refused, long orders, long events) {
    return new JsonObject()
        .put("service_cores", cores(granted * SERVICE_US + refused * REFUSAL_US))
        .put("redis_cores", cores(granted * REDIS_US))
        .put("redis_memory_mb", mb(REDIS_BYTES + orders * REDIS_ORDER_BYTES))
        .put("kafka_cores_of_each_replica", cores(granted * KAFKA_US))
        .put("kafka_disk_mb_of_each_replica", mb(orders * (LOG_ORDER_BYTES + EVENT_BYTES * events)))
        .put("database_cores", cores(granted * DATABASE_US))
        .put("database_buffer_pool_mb", mb(POOL_BYTES + orders * POOL_ORDER_BYTES))
        .put("database_disk_mb", mb(orders * DATABASE_ORDER_BYTES));
  }

  private static double cores(long us) {
    return Math.ceil(us / CORE_US * 10) / 10;
  }

  private static long mb(long bytes) {
    return (bytes + 999_999) / 1_000_000;
  }
}
