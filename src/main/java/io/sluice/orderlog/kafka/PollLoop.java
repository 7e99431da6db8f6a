package io.sluice.orderlog.kafka;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.kafka.client.common.TopicPartition;
import io.vertx.kafka.client.consumer.KafkaConsumer;
import io.vertx.kafka.client.consumer.KafkaConsumerRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls one after the other until closed: on the poll thread of a Vert.x consumer, while all
 * decisions fall on the context that started it. Poll, records, decisions, next plan, next poll:
 * what the poll thread does therefore always follows from what the context has seen.
 */
final class PollLoop<V> {
  /** A poll without records ends after this; a change of plan ends it at once. */
  private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);

  private static final int BACKOFF_MIN_MS = 50;
  private static final int BACKOFF_MAX_MS = 2_000;
  private static final int CLOSE_TIMEOUT_MS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);

  /** Decides what the loop does. Called on the loop's context. */
  interface Driver<V> {
    /** The plan of the poll that follows at once. */
    PollPlan plan(long poll);

    void polled(long poll, ConsumerRecords<String, V> records);

    /** Whether the failure is dealt with; if not, the next poll follows after a pause. */
    boolean handled(long poll, Throwable failure);
  }

  private final Vertx vertx;
  private final Context home;
  private final KafkaConsumer<String, V> consumer;
  private final Driver<V> driver;
  private final PollPacer pace;
  private List<Promise<Void>> waiting = new ArrayList<>();
  private List<Promise<Void>> waitingForThis = new ArrayList<>();
  private long polls;
  private boolean polling;
  private boolean woken;
  private boolean closed;
  private boolean resting;
  private long restTimer;
  private int backoffMs = BACKOFF_MIN_MS;
  // Written before a poll is handed to its thread, and read there.
  private volatile PollPlan plan = PollPlan.NOTHING;

  /** Belongs to the context that it is made on. */
  PollLoop(
      Vertx vertx,
      Consumer<String, V> consumer,
      String topic,
      ConsumerRebalanceListener rebalances,
      PollPacer pace,
      Driver<V> driver) {
    this.vertx = vertx;
    this.home = vertx.getOrCreateContext();
    this.pace = pace;
    this.driver = driver;
    this.consumer =
        KafkaConsumer.create(
            vertx, PlannedConsumer.around(consumer, topic, () -> plan, rebalances));
  }

  /** Joins the group and polls. Completes once the first poll has returned. */
  Future<Void> subscribe(String topic) {
    return start(consumer.subscribe(topic));
  }

  /** Reads all these partitions, in no group. Completes once the first poll has returned. */
  Future<Void> assign(Set<TopicPartition> partitions) {
    return start(consumer.assign(partitions));
  }

  private Future<Void> start(Future<Void> ready) {
    return ready.compose(
        done -> {
          Future<Void> first = afterNextPoll();
          poll();
          return first;
        });
  }

  /** The number of the next poll that will be planned: it will know all that is decided now. */
  long nextPoll() {
    return polls + 1;
  }

  /** Completes after a poll that begins after this call. */
  Future<Void> afterNextPoll() {
    if (closed) {
      return Future.failedFuture(closedFailure());
    }
    Promise<Void> promise = Promise.promise();
    waiting.add(promise);
    wake();
    return promise.future();
  }

  /** Lets a changed plan take effect now: ends the poll under way, or the rest before the next. */
  void wake() {
    if (polling && !woken && !closed) {
      woken = true;
      consumer.unwrap().wakeup();
    }
    if (resting) {
      vertx.cancelTimer(restTimer);
      endRest();
    }
  }

  private void rest(Duration length) {
    resting = true;
    restTimer = vertx.setTimer(length.toMillis(), id -> endRest());
  }

  private void endRest() {
    resting = false;
    poll();
  }

  private void poll() {
    if (closed) {
      return;
    }
    polls++;
    polling = true;
    woken = false;
    List<Promise<Void>> none = waitingForThis;
    waitingForThis = waiting;
    waiting = none;
    plan = driver.plan(polls);
    consumer.poll(POLL_TIMEOUT).onComplete(this::polled);
  }

  private void polled(
      @Nullable KafkaConsumerRecords<String, V> records, @Nullable Throwable failure) {
    if (closed) {
      return;
    }
    polling = false;
    boolean pause = false;
    Duration rest = records == null ? Duration.ZERO : pace.restAfter(records.records());
    try {
      if (records != null) {
        backoffMs = BACKOFF_MIN_MS;
        driver.polled(polls, records.records());
      } else {
        pause = failure != null && !driver.handled(polls, failure);
      }
    } catch (RuntimeException bug) {
      // Without this the loop would end without a word, and keep its partitions.
      log.atError().setCause(bug).log("records of a poll were not taken");
    }
    waitingForThis.forEach(Promise::complete);
    waitingForThis.clear();
    if (pause) {
      backOff();
    } else if (!rest.isZero() && waiting.isEmpty()) {
      rest(rest);
    } else {
      poll();
    }
  }

  private void backOff() {
    int pauseMs = backoffMs;
    backoffMs = Math.min(2 * backoffMs, BACKOFF_MAX_MS);
    vertx.setTimer(pauseMs, id -> poll());
  }

  /** Runs this on the loop's context, behind whatever the poll thread has reported so far. */
  void report(Runnable news) {
    home.runOnContext(now -> news.run());
  }

  /** Ends the loop and leaves the group. */
  Future<Void> close() {
    if (closed) {
      return Future.succeededFuture();
    }
    closed = true;
    waiting.forEach(promise -> promise.fail(closedFailure()));
    waitingForThis.forEach(promise -> promise.fail(closedFailure()));
    return consumer.close().timeout(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  private static IllegalStateException closedFailure() {
    return new IllegalStateException("Expected the consumer to be open, but it is closed");
  }
}
