package io.sluice.sale;

import io.sluice.Main;
import io.sluice.PortDecorator;
import io.sluice.db.Database.PoolDecorator;
import io.sluice.ledger.Ledger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/** The service with a ledger whose clock is ahead of all others. */
public final class FastLedgerMain implements PortDecorator {
  static final Duration AHEAD = Duration.ofSeconds(5);

  private FastLedgerMain() {}

  public static void main(String[] args) {
    Main.run(args, new FastLedgerMain());
  }

  @Override
  public <T> T decorate(Class<T> port, T target) {
    return port == Ledger.class ? port.cast(ahead((Ledger) target)) : target;
  }

  private static Object ahead(Ledger ledger) {
    return Proxy.newProxyInstance(
        Ledger.class.getClassLoader(),
        new Class<?>[] {Ledger.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("nowMs")) {
            return ledger.nowMs().map(ms -> ms + AHEAD.toMillis());
          }
          try {
            return method.invoke(ledger, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }

  @Override
  public PoolDecorator pools() {
    return PoolDecorator.NONE;
  }
}
