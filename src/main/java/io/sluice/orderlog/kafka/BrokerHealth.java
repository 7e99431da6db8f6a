package io.sluice.orderlog.kafka;

import io.sluice.monitor.Alarm;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaTopics.TopicsSeen;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which partitions of the order log take records now, by the last outcome of each one's
 * appends. While the log is down there are no appends, so the broker is probed every second as
 * well. Each partition is judged alone. Outcomes may be reported on any event loop.
 */
final class BrokerHealth {
  static final int PROBE_EVERY_MS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(BrokerHealth.class);

  private final Supplier<Future<Optional<TopicsSeen>>> look;
  private final TopicInfo expected;
  private final Consumer<TopicInfo> foreignTopic;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLongArray lastAcked;
  private final Set<Integer> failing = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean told = new AtomicBoolean();
  private final AtomicBoolean grown = new AtomicBoolean();
  private final AtomicBoolean up = new AtomicBoolean(true);
  private volatile boolean reachable = true;
  private volatile TopicsSeen seen;
  private volatile boolean closed;

  /**
   * @param look reads the topics as they are
   * @param expected the topics as they should be
   */
  BrokerHealth(
      Supplier<Future<Optional<TopicsSeen>>> look,
      TopicInfo expected,
      Consumer<TopicInfo> foreignTopic) {
    this.look = look;
    this.expected = expected;
    this.seen = new TopicsSeen(expected, Set.of(), Set.of(), List.of());
    this.foreignTopic = foreignTopic;
    this.lastAcked = new AtomicLongArray(expected.partitions());
  }

  /** Probes periodically until closed. */
  void start(Vertx vertx) {
    if (!closed) {
      vertx.setTimer(PROBE_EVERY_MS, id -> probe().onComplete(done -> start(vertx)));
    }
  }

  /** Whether any partition takes records. */
  boolean isUp() {
    return reachable && IntStream.range(0, partitions()).anyMatch(this::takes);
  }

  /**
   * Whether this partition takes records. After each successful probe, appends to it are tried
   * again.
   */
  boolean takes(int partition) {
    return reachable && !failing.contains(partition) && seen.takes(partition);
  }

  /** Whether this partition had a leader when last looked at, so that it can be read. */
  boolean hasLeader(int partition) {
    return !seen.leaderless().contains(partition);
  }

  /** The partitions that take no records. */
  List<Integer> out() {
    return IntStream.range(0, partitions()).filter(partition -> !takes(partition)).boxed().toList();
  }

  int partitions() {
    return lastAcked.length();
  }

  /** Starts an append and returns its number. */
  long begin() {
    return begun.incrementAndGet();
  }

  void acked(int partition, long append) {
    lastAcked.accumulateAndGet(partition, append, Math::max);
    if (!failing.isEmpty() && failing.remove(partition)) {
      noteState("append acknowledged");
    }
  }

  /** An append that began before the last acknowledged one says nothing about the current state. */
  void failed(int partition, long append, Throwable cause) {
    if (append > lastAcked.get(partition)) {
      failures.incrementAndGet();
      failing.add(partition);
      noteState(cause.toString());
    }
  }

  void close() {
    closed = true;
  }

  Future<Void> probe() {
    long failuresBefore = failures.get();
    return look.get()
        .transform(
            (info, failure) -> {
              if (failure != null) {
                unreachable(failure.toString());
              } else {
                looked(info, failuresBefore);
              }
              return Future.succeededFuture();
            });
  }

  private void looked(Optional<TopicsSeen> found, long failuresBefore) {
    if (found.isEmpty()) {
      unreachable("the orders topic is missing");
    } else if (!isExpected(found.get().info())) {
      unreachable("the topics are not those that the ledger was founded with");
      if (told.compareAndSet(false, true)) {
        foreignTopic.accept(found.get().info());
      }
    } else {
      reachable = true;
      alarmOfMore(found.get().info());
      if (failures.get() == failuresBefore) {
        failing.clear();
      }
      note(found.get());
      noteState("the broker answers");
    }
  }

  private void alarmOfMore(TopicInfo info) {
    if (info.more() > 0 && grown.compareAndSet(false, true)) {
      Alarm.MORE_PARTITIONS.raise(
          log.atError()
              .addKeyValue("partitions", info.partitions())
              .addKeyValue("more", info.more()));
    }
  }

  private void note(TopicsSeen now) {
    TopicsSeen before = seen;
    seen = now;
    if (now.equals(before) || closed) {
      return;
    }
    now.warn(log);
    if (now.isWhole()) {
      log.info("all partitions of all topics are whole again");
    }
  }

  private boolean isExpected(TopicInfo info) {
    return info.topicId().equals(expected.topicId()) && info.partitions() == expected.partitions();
  }

  private void unreachable(String why) {
    reachable = false;
    noteState(why);
  }

  private void noteState(String why) {
    boolean now = isUp();
    if (!closed && up.compareAndSet(!now, now)) {
      log.atWarn().addKeyValue("up", now).addKeyValue("why", why).log("order log changed state");
    }
  }
}
