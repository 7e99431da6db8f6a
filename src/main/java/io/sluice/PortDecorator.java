package io.sluice;

import io.sluice.db.PoolDecorator;

/**
 * Puts something around each port of the stores, between it and its callers, which so learns of
 * each call that leaves the process and of each answer that comes back.
 */
public interface PortDecorator {
  /** Adds nothing, as in the service. */
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

  /** The port as its callers are to see it; {@code target} is what it leads to. */
  <T> T decorate(Class<T> port, T target);

  /** The same below the ledger, where the statements of its transactions pass. */
  PoolDecorator pools();
}
