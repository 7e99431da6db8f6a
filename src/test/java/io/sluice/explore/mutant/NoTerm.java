package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.model.BucketId;
import io.sluice.stock.StockStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Redis does not distinguish an owner and its rebuild from those before it. */
final class NoTerm implements Defect {
  private static final List<String> WITH_TERM =
      List.of("book", "release", "restock", "take", "freeze", "load", "loadPage", "open");
  private static final List<String> WITH_MARK = List.of("load", "loadPage", "open");

  private final Map<BucketId, String> marks = new HashMap<>();

  @Override
  public StockStore stockBelow(StockStore store, World world) {
    StockStore same = store;
    for (String method : WITH_TERM) {
      same = Intercept.of(StockStore.class, same, method, call -> call.with(1, 1L));
    }
    for (String method : WITH_MARK) {
      same =
          Intercept.of(
              StockStore.class,
              same,
              method,
              call -> call.with(2, newest(call.argument(0), call.argument(2))));
    }
    StockStore marking = same;
    return Intercept.of(
        StockStore.class,
        marking,
        "freeze",
        call -> call.go((StockStore.Frozen frozen) -> noted(call.argument(0), frozen)));
  }

  private StockStore.Frozen noted(BucketId id, StockStore.Frozen frozen) {
    marks.put(id, frozen.mark());
    return frozen;
  }

  /** The newest mark, if it is of the same process. */
  private Object newest(BucketId id, String mark) {
    String newest = marks.getOrDefault(id, mark);
    return runId(newest).equals(runId(mark)) ? newest : mark;
  }

  private static String runId(String mark) {
    return mark.substring(0, mark.indexOf(':'));
  }
}
