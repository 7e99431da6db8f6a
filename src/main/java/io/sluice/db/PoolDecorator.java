package io.sluice.db;

import io.vertx.sqlclient.Pool;

/** Puts something around each pool of connections that a {@link Database} makes. */
@FunctionalInterface
public interface PoolDecorator {
  /** Adds nothing. */
  PoolDecorator NONE = pool -> pool;

  Pool decorate(Pool pool);
}
