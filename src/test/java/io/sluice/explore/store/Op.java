package io.sluice.explore.store;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockStore;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A method of a store, and the faults that its calls can have.
 *
 * @param label e.g. {@code stock.reserve}
 */
public record Op(Store store, Kind kind, String label) {

  public enum Store {
    STOCK(StockStore.class),
    LEDGER(Ledger.class),
    SKUS(SkuLedger.class),
    SALES(SaleLedger.class),
    LOG(OrderLog.class),
    EVENTS(EventPublisher.class);

    private final Class<?> port;

    Store(Class<?> port) {
      this.port = port;
    }

    /** All ledgers are one database. */
    public Store database() {
      return this == SKUS || this == SALES ? LEDGER : this;
    }
  }

  /** What a call does. */
  public enum Kind {
    READ,
    /** One statement or script. */
    WRITE,
    /** Takes locks that others wait for, and commits with its last message. */
    TRANSACTION,
    /** Takes locks as well, but only to read. */
    HELD,
    APPEND,
    PUBLISH
  }

  private static final Set<String> TRANSACTIONS =
      Set.of(
          "apply",
          "book",
          "takeOver",
          "reset",
          "skipLost",
          "keepReading",
          "keepRest",
          "raiseEpoch",
          "finishTake",
          "refuseTake",
          "freezeSku",
          "endClosed",
          "crossMarks",
          "lend",
          "borrow",
          "put",
          "change",
          "follow",
          "restock",
          "raise");
  private static final Set<String> READS =
      Set.of(
          "rehearse",
          "lookup",
          "tokens",
          "overdue",
          "snapshot",
          "history",
          "stamp",
          "replicaLag",
          "fences",
          "glance",
          "nowMs",
          "due",
          "orders",
          "pending",
          "buckets",
          "goneBuckets",
          "markedStocks",
          "hasAny",
          "bucket",
          "ofSameSale",
          "loadRows",
          "corrections",
          "reports",
          "openRequests",
          "sku",
          "skus",
          "bucketsOf",
          "audit",
          "mark",
          "sum",
          "answer",
          "endOffset",
          "beginOffset",
          "reading",
          "hasLost",
          "longestWindowMs");

  /** Steps that are rare and where a fault is most harmful: their calls get more faults. */
  private static final Set<String> RARE =
      Set.of(
          "ledger.takeOver",
          "ledger.raiseEpoch",
          "ledger.finishTake",
          "ledger.refuseTake",
          "ledger.keepRest",
          "ledger.lend",
          "ledger.loadRows",
          "ledger.compare",
          "ledger.correct",
          "stock.freeze",
          "stock.load",
          "stock.loadPage",
          "stock.open",
          "stock.unload",
          "stock.take",
          "sales.put");

  private static final Map<Method, Op> KNOWN = new ConcurrentHashMap<>();

  static Op of(Method method) {
    return KNOWN.computeIfAbsent(method, Op::make);
  }

  private static Op make(Method method) {
    for (Store store : Store.values()) {
      if (method.getDeclaringClass().isAssignableFrom(store.port)) {
        String label = store.name().toLowerCase(Locale.ROOT) + "." + method.getName();
        return new Op(store, kind(store, method.getName()), label);
      }
    }
    throw new IllegalArgumentException("Expected a method of a store, but got " + method);
  }

  private static Kind kind(Store store, String method) {
    if (READS.contains(method)) {
      return Kind.READ;
    }
    if (method.equals("compare")) {
      return Kind.HELD;
    }
    if (store == Store.LOG) {
      return Kind.APPEND;
    }
    if (store == Store.EVENTS) {
      return Kind.PUBLISH;
    }
    boolean transaction = store.database() == Store.LEDGER && TRANSACTIONS.contains(method);
    return transaction ? Kind.TRANSACTION : Kind.WRITE;
  }

  public boolean isRead() {
    return kind == Kind.READ || kind == Kind.HELD;
  }

  /** Whether it waits for transactions that hold the same rows. */
  boolean locks() {
    return kind == Kind.TRANSACTION || kind == Kind.HELD;
  }

  /** A factor on the fault rate: idle polls are frequent, and their faults have little effect. */
  double interest() {
    if (RARE.contains(label)) {
      return 3;
    }
    return isRead() ? 0.15 : kind == Kind.PUBLISH ? 0.4 : 1;
  }

  boolean canMeet(Fault fault) {
    return switch (fault) {
      case TWICE -> kind == Kind.APPEND;
      case SLOW -> kind == Kind.APPEND || label.equals("ledger.book");
      case CUT_SHORT -> kind == Kind.PUBLISH;
      case LATE -> !isRead();
      default -> true;
    };
  }
}
