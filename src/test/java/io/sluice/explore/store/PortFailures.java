package io.sluice.explore.store;

import io.sluice.explore.run.World;
import io.sluice.testkit.Ports;

/**
 * Notices what a store, or a defect planted around it, throws although no port names it. Its caller
 * would take it for an outage and repeat the call, and break a promise much later.
 */
public final class PortFailures {
  private static final String NAMED = "io.sluice.";

  private PortFailures() {}

  public static <S> S noticed(Class<S> port, S store, World world) {
    return Ports.answering(
        port,
        (proxy, method, arguments) -> {
          try {
            return Intercept.invoke(store, method, arguments)
                .onFailure(failure -> look(failure, world));
          } catch (RuntimeException thrown) {
            world.thrown(thrown);
            throw thrown;
          }
        });
  }

  private static void look(Throwable failure, World world) {
    if (!failure.getClass().getName().startsWith(NAMED)) {
      world.thrown(failure);
    }
  }
}
