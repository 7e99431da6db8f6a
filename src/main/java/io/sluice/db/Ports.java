package io.sluice.db;

/**
 * Stands between a port and those who call it. The service puts nothing there; a process under test
 * can, and so learns of each call that leaves it and of each answer that comes back.
 */
public interface Ports {
  /** The port as its callers are to see it; {@code target} is what it leads to. */
  <T> T of(Class<T> port, T target);

  /** Nothing in between. */
  static Ports open() {
    return new Ports() {
      @Override
      public <T> T of(Class<T> port, T target) {
        return target;
      }
    };
  }
}
