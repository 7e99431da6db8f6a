package io.sluice.stock.redis;

import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Reads the stamp of a Redis. A server of another make, or a proxy, may show counts that stay as
 * they are while others write; nothing may be concluded from these. So once for each history this
 * is tried, by writes to keys that no SKU has and that are gone at once.
 */
final class StampReader {
  private final Supplier<Future<RedisInfo>> info;
  private final Supplier<Future<Void>> writeInVain;

  /** The history in which it was tried. */
  private String triedIn = "";

  private boolean counts;

  /**
   * @param info reads the whole of INFO
   * @param writeInVain writes something that nobody sees
   */
  StampReader(Supplier<Future<RedisInfo>> info, Supplier<Future<Void>> writeInVain) {
    this.info = info;
    this.writeInVain = writeInVain;
  }

  Future<Stamp> read() {
    return now()
        .compose(
            now ->
                now.history().equals(triedIn)
                    ? Future.succeededFuture(now)
                    : attempt(now).otherwise(now))
        .map(now -> counts ? now : new Stamp(now.history(), ""));
  }

  private Future<Stamp> now() {
    return info.get().map(RedisInfo::stamp);
  }

  /** If it fails, it is tried again with the next stamp. */
  private Future<Stamp> attempt(Stamp before) {
    counts = false;
    return writeInVain
        .get()
        .compose(written -> now())
        .onSuccess(
            after -> {
              boolean isSame = after.history().equals(before.history());
              triedIn = isSame ? after.history() : "";
              counts = isSame && !after.writes().equals(before.writes());
            });
  }
}
