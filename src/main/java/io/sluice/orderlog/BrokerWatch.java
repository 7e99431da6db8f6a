package io.sluice.orderlog;

import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether the order log takes records now: by the last outcome of an append and, since nobody
 * appends to a log that is down, by asking the broker every second.
 */
final class BrokerWatch {
  static final int PROBE_EVERY_MS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(BrokerWatch.class);

  private final Vertx vertx;
  private final KafkaTopics topics;
  private final TopicInfo expected;
  private final Consumer<TopicInfo> foreignTopic;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean up = true;
  private volatile boolean closed;

  BrokerWatch(
      Vertx vertx, KafkaTopics topics, TopicInfo expected, Consumer<TopicInfo> foreignTopic) {
    this.vertx = vertx;
    this.topics = topics;
    this.expected = expected;
    this.foreignTopic = foreignTopic;
  }

  void start() {
    if (!closed) {
      vertx.setTimer(PROBE_EVERY_MS, id -> probe());
    }
  }

  boolean isUp() {
    return up;
  }

  void acked() {
    if (!up) {
      turn(true, "append acknowledged");
    }
  }

  void failed(Throwable cause) {
    failures.incrementAndGet();
    turn(false, cause.toString());
  }

  void close() {
    closed = true;
  }

  private void probe() {
    int failuresBefore = failures.get();
    topics
        .look()
        .onComplete(
            (info, failure) -> {
              if (failure != null) {
                turn(false, failure.toString());
              } else {
                looked(info, failuresBefore);
              }
              start();
            });
  }

  private void looked(Optional<TopicInfo> info, int failuresBefore) {
    if (info.isEmpty()) {
      turn(false, "a topic is missing or has no leader");
    } else if (!isExpected(info.get())) {
      turn(false, "the topics are not the ones that were agreed on");
      if (told.compareAndSet(false, true)) {
        foreignTopic.accept(info.get());
      }
    } else if (failures.get() == failuresBefore) {
      turn(true, "the broker answers");
    }
  }

  private boolean isExpected(TopicInfo info) {
    return info.topicId().equals(expected.topicId()) && info.partitions() == expected.partitions();
  }

  private void turn(boolean nowUp, String why) {
    if (closed || up == nowUp) {
      return;
    }
    up = nowUp;
    log.atWarn().addKeyValue("up", nowUp).addKeyValue("why", why).log("order log changed state");
  }
}
