package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.List;

/**
 * The events that are kept, read page by page. Who reads them keeps a cursor, which is opaque text;
 * nothing is kept here for him. Any thread.
 */
public interface EventPages {
  /** The cursor before the oldest event that is kept. */
  String OLDEST = "0";

  /** The cursor behind the newest event. */
  String NEWEST = "newest";

  /** The maximum number of events of a page. */
  int PAGE_MAX = 500;

  /**
   * The events behind a cursor, in order per partition. Fails if they cannot be read now.
   *
   * @param after {@link #OLDEST}, {@link #NEWEST}, or the {@code next} of a page
   * @param limit 1 to {@link #PAGE_MAX}
   * @param heartbeats whether these are shown as well
   */
  Future<Found> after(String after, int limit, boolean heartbeats);

  /** The outcome of a question. */
  sealed interface Found {
    /**
     * Events, in order per partition.
     *
     * @param events as JSON; may be none although there are more
     * @param next the cursor behind them
     * @param more whether there was more behind them
     */
    record Page(List<String> events, String next, boolean more) implements Found {}

    /**
     * Events behind the cursor are not kept any more, or it is of another topic or ledger.
     *
     * @param lostFromMs what was written before this time was read; 0 if that is not known
     * @param keptFromMs what was written from this time on is kept; 0 if that is not known
     */
    record Gone(long lostFromMs, long keptFromMs) implements Found {}

    /** The text is no cursor. */
    record NoCursor() implements Found {}
  }
}
