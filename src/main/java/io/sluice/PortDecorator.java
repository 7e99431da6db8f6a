package io.sluice;

import io.sluice.db.Database.PoolDecorator;

/**
 * Wraps each port of the stores, to observe the calls that leave the process and the answers that
 * return.
 */
public interface PortDecorator {
  /** Wraps nothing; used by the service. */
  PortDecorator NONE =
      new PortDecorator() {
        @Override
        public <T> T decorate(Class<T> port, T target) {
          return target;
        }

        @Override
        public PoolDecorator pools() {
          return PoolDecorator.NONE;
        }
      };

  /**
   * Returns the port that callers use.
   *
   * @param target the implementation
   */
  <T> T decorate(Class<T> port, T target);

  /** Wraps the connection pools below the ledger, to observe the statements of its transactions. */
  PoolDecorator pools();
}
