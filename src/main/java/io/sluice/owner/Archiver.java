package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The worker behind what operators ask of the archive: one page, then a pause, so that a sale that
 * runs meanwhile has the database almost for itself; docs/design-owner.md section 8. A page that
 * fails is tried again by the next wake.
 */
final class Archiver {
  /** A page takes the database some 50 ms. */
  static final int ORDERS_MAX = 1_000;

  /** A look through so many orders for those of one buyer takes it some 20 ms. */
  static final int ROWS_MAX = 20_000;

  static final Duration REST = Duration.ofMillis(200);

  /** The maximum number of pauses between two pages while booking pauses as well. */
  static final int RESTS_MAX = 25;

  private final List<Work> works;

  /**
   * @param bookingRests whether booking pauses
   */
  Archiver(OwnerContext context, BooleanSupplier bookingRests) {
    this.works =
        context.ownership().isFirst()
            ? works(context.ledger(), context.tasks(), context.timers(), bookingRests)
            : List.of();
  }

  /** If there are no owners, any instance does it. */
  Archiver(Ledger ledger, BackgroundTasks tasks, Timers timers) {
    this.works = works(ledger, tasks, timers, () -> false);
  }

  private static List<Work> works(
      Ledger ledger, BackgroundTasks tasks, Timers timers, BooleanSupplier bookingRests) {
    return List.of(
        new Work(tasks, timers, "archive", () -> ledger.archiveNext(ORDERS_MAX), bookingRests),
        new Work(tasks, timers, "forget", () -> ledger.forgetNext(ROWS_MAX), bookingRests));
  }

  /** Looks for something to do. */
  void wake() {
    works.forEach(work -> work.task.wake());
  }

  private static final class Work {
    private final Supplier<Future<Boolean>> page;
    private final BackgroundTask task;
    private final StampedePause pause;

    Work(
        BackgroundTasks tasks,
        Timers timers,
        String name,
        Supplier<Future<Boolean>> page,
        BooleanSupplier bookingRests) {
      this.page = page;
      this.task = tasks.make(name, this::step);
      this.pause = new StampedePause(timers, REST, RESTS_MAX, bookingRests, task::wake);
    }

    private Future<Boolean> step() {
      return pause.isResting()
          ? Future.succeededFuture(false)
          : page.get()
              .onSuccess(
                  more -> {
                    if (more) {
                      pause.begin();
                    }
                  })
              .map(false);
    }
  }
}
