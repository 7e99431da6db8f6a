package io.sluice.db;

import io.vertx.sqlclient.Pool;

/** Wraps each connection pool that a {@link Database} creates. */
@FunctionalInterface
public interface PoolDecorator {
  /** Wraps nothing. */
  PoolDecorator NONE = pool -> pool;

  Pool decorate(Pool pool);
}
