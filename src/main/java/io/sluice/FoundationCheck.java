package io.sluice;

import io.sluice.ledger.Fence;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.TopicInfo;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Compares what this instance has found with what the ledger was founded with. If the operator says
 * that the old order log is lost, founds a new one in the ledger.
 */
final class FoundationCheck {
  private static final String MYSQL = "mysql";
  private static final Logger log = LoggerFactory.getLogger(FoundationCheck.class);

  private final LedgerIdentity foundation;
  private final TopicInfo topics;
  private final Supplier<Future<Map<Integer, Long>>> ends;

  /**
   * @param ends reads the end offset of each partition
   */
  FoundationCheck(
      LedgerIdentity foundation, TopicInfo topics, Supplier<Future<Map<Integer, Long>>> ends) {
    this.foundation = foundation;
    this.topics = topics;
    this.ends = ends;
  }

  /**
   * Fails with {@link io.sluice.ledger.IdentityMismatchException} if they differ, or there is
   * nothing to adopt.
   *
   * @param adoptAt reads the offsets at which a new order log is begun that the ledger adopts; null
   *     if it adopts none
   */
  Future<Void> agree(
      Retry retry, String group, @Nullable Supplier<Future<Map<Integer, Long>>> adoptAt) {
    return (adoptAt == null ? Future.<Void>succeededFuture() : adopt(retry, group, adoptAt))
        .compose(
            adopted ->
                retry.until(
                    MYSQL, () -> foundation.orderLog(topics.partitions(), topics.topicId(), ends)))
        .compose(same -> retry.until(MYSQL, () -> foundation.group(group)));
  }

  /**
   * The loss is reported before anything is changed: a kill right after the change must leave it
   * named.
   */
  private Future<Void> adopt(
      Retry retry, String group, Supplier<Future<Map<Integer, Long>>> adoptAt) {
    return retry
        .until(MYSQL, () -> foundation.group(group))
        .compose(same -> retry.until("kafka", () -> all(adoptAt)))
        .compose(
            known ->
                retry
                    .until(MYSQL, () -> foundation.adoptable(topics.partitions(), topics.topicId()))
                    .compose(
                        before -> {
                          before.forEach(this::tellIntended);
                          return change(known);
                        }));
  }

  /**
   * Not retried: after a failure whose outcome is unknown, the new log may be the ledger's already,
   * which a second attempt would refuse.
   */
  private Future<Void> change(Map<Integer, Long> known) {
    return foundation
        .adoptLog(topics.partitions(), topics.topicId(), known)
        .onSuccess(before -> before.forEach(this::tellDone))
        .mapEmpty();
  }

  private Future<Map<Integer, Long>> all(Supplier<Future<Map<Integer, Long>>> offsets) {
    return offsets
        .get()
        .compose(
            known ->
                known.size() == topics.partitions()
                    ? Future.succeededFuture(known)
                    : Future.failedFuture(
                        new LogUnavailableException(
                            "Expected the offsets of every partition of the new order log")));
  }

  private void tellIntended(Fence fence) {
    tell(log.atWarn(), fence)
        .log(
            "adopting a new order log; records of the old one from this offset on would be given"
                + " up, except for grants that Redis has");
  }

  private void tellDone(Fence fence) {
    tell(log.atWarn(), fence)
        .log(
            "a new order log is adopted; records of the old one from this offset on are given up,"
                + " except for grants that Redis has, which are booked now");
  }

  /** Names what is given up: nobody can say what the lost records were. */
  private LoggingEventBuilder tell(LoggingEventBuilder line, Fence fence) {
    return line.addKeyValue("partition", fence.partition())
        .addKeyValue("topicId", topics.topicId())
        .addKeyValue("unreadFrom", fence.nextOffset());
  }
}
