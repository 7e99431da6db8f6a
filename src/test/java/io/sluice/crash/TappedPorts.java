package io.sluice.crash;

import io.sluice.PortDecorator;
import io.sluice.db.Database.PoolDecorator;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.History;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.Webhooks;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;

/**
 * Ports that report each call that leaves the process, and each answer before the caller gets it.
 *
 * <p>A call {@code stock.reserve} takes the steps {@code stock.reserve:before}, {@code :sent} and,
 * if it was answered, {@code :after}; a transaction also those of {@link TappedPool}.
 */
final class TappedPorts implements PortDecorator {
  static final Map<Class<?>, String> NAMES =
      Map.ofEntries(
          Map.entry(StockConnection.class, "stock"),
          Map.entry(StockStore.class, "stock"),
          Map.entry(Ledger.class, "ledger"),
          Map.entry(DirectLedger.class, "direct"),
          Map.entry(SkuLedger.class, "skus"),
          Map.entry(SaleLedger.class, "sales"),
          Map.entry(Blacklist.class, "blacklist"),
          Map.entry(Webhooks.class, "webhooks"),
          Map.entry(History.class, "history"),
          Map.entry(OrderLog.class, "log"),
          Map.entry(EventPublisher.class, "events"),
          Map.entry(OrderLogConsumer.class, "consumer"));

  /**
   * Database access outside of any port's call: reading the foundation at the start, and repeated
   * transactions.
   */
  static final String NO_CALL = "none";

  private final Steps steps;
  private final ThreadLocal<String> calling = ThreadLocal.withInitial(() -> NO_CALL);

  TappedPorts(Steps steps) {
    this.steps = steps;
  }

  /** Whether a kill can be planned at this call: it returns a Future. */
  static boolean isAwaited(Method method) {
    return method.getReturnType() == Future.class;
  }

  @Override
  public PoolDecorator pools() {
    return new TappedPool(steps, calling::get);
  }

  @Override
  public <T> T decorate(Class<T> port, T target) {
    String name = NAMES.get(port);
    if (name == null) {
      throw new IllegalArgumentException("Expected a port with a name, but got " + port);
    }
    return Ports.answering(
        port,
        (proxy, method, arguments) ->
            isAwaited(method)
                ? call(name + "." + method.getName(), target, method, arguments)
                : wrapped(invoke(target, method, arguments)));
  }

  /** The stock of a partition is a port as well. */
  private Object wrapped(Object answer) {
    return answer instanceof StockStore store ? decorate(StockStore.class, store) : answer;
  }

  private Object call(String call, Object target, Method method, Object[] arguments)
      throws Throwable {
    steps.reached(call + ":before");
    if (steps.fails(call)) {
      return Future.failedFuture("failed on order: " + call);
    }
    String outer = calling.get();
    calling.set(call);
    try {
      Future<?> answer = (Future<?>) invoke(target, method, arguments);
      steps.reached(call + ":sent");
      return answer.andThen(
          done -> {
            if (done.succeeded()) {
              steps.reached(call + ":after");
            }
          });
    } finally {
      calling.set(outer);
    }
  }

  static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
