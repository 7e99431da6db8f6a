package io.sluice.owner;

import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A ledger whose calls a test can observe, delay or truncate. */
public final class WatchedLedger {
  private static final Set<String> AUDITS = Set.of("audit", "sum");

  private final InMemoryLedger ledger;

  /** Runs once, just before the orders of a bucket are read for a rebuild. */
  public Runnable beforeLoadRows = () -> {};

  /** Delays the answer of each page of buckets after it was read. */
  public Future<Void> bucketsAnswered = Future.succeededFuture();

  /** The maximum number of rows that an audit reads at once. */
  int auditRowsMax = Integer.MAX_VALUE;

  /** The number of slices of large SKUs that were summed. */
  int sums;

  /** The reasons of all freezes of SKUs. */
  final List<String> freezes = new ArrayList<>();

  public WatchedLedger(InMemoryLedger ledger) {
    this.ledger = ledger;
  }

  public Ledger port() {
    return Ports.answering(Ledger.class, (self, method, arguments) -> call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) throws ReflectiveOperationException {
    String name = method.getName();
    if (name.equals("loadRows")) {
      Runnable once = beforeLoadRows;
      beforeLoadRows = () -> {};
      once.run();
    } else if (name.equals("freezeSku")) {
      freezes.add((String) arguments[1]);
    }
    if (name.equals("sum")) {
      sums++;
    }
    if (AUDITS.contains(name)) {
      int last = arguments.length - 1;
      arguments[last] = Math.min(auditRowsMax, (int) arguments[last]);
    }
    Object answer = method.invoke(ledger, arguments);
    return name.equals("buckets") ? bucketsAnswered.compose(now -> (Future<?>) answer) : answer;
  }
}
