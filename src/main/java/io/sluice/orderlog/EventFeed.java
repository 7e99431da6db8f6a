package io.sluice.orderlog;

import io.vertx.core.Future;

/** Reads all of {@code stock-events} from its end on; every instance has one, in no group. */
public interface EventFeed {

  /** Called on the context that started the feed, in order per partition. */
  interface Listener {
    void heard(int partition, Event event);
  }

  Future<Void> start(Listener listener);

  Future<Void> close();
}
