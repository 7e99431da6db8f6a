package io.sluice.orderlog.kafka;

import io.sluice.async.Backoff;
import io.sluice.async.TimeLimit;
import io.sluice.monitor.ConnectFault;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that polls until it is closed, while all decisions are made on the context that created
 * the loop: plan, poll, records, decisions, next plan. Each poll first applies its plan, so that
 * seeking, pausing and polling are one step, based on what the context has seen.
 */
final class PollLoop<V> {
  /** Leaving the group takes one request; an unavailable broker must not delay the shutdown. */
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  private static final int CLOSE_TIMEOUT_MS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);

  /** Decides what the loop does. Called on the loop's context. */
  interface Driver<V> {
    /** Returns the plan of the poll that follows at once. */
    PollPlan plan(long poll);

    void polled(long poll, Polled<V> polled);

    /** Whether the failure is handled; if not, the next poll follows after a pause. */
    boolean handled(long poll, Throwable failure);
  }

  /**
   * The result of a poll.
   *
   * @param moves of the partitions that were read, also of those without a record: offsets need not
   *     be dense, since a transaction leaves a marker that no reader is given
   */
  record Polled<V>(ConsumerRecords<String, V> records, Map<Integer, Positions.Move> moves) {}

  private final Vertx vertx;
  private final Context home;
  private final Consumer<String, V> consumer;
  private final ExecutorService thread;
  private final Driver<V> driver;
  private final PollPacer pace;

  /** Of the poll thread. */
  private final Positions positions;

  private List<Promise<Void>> waiting = new ArrayList<>();
  private List<Promise<Void>> waitingForThis = new ArrayList<>();
  private long polls;
  private boolean polling;
  private boolean woken;
  private boolean closed;
  private boolean resting;
  private long restTimer;
  private final Backoff backoff = new Backoff();

  /** Created on the context that it belongs to; takes ownership of the consumer. */
  PollLoop(
      Vertx vertx, String name, Consumer<String, V> consumer, PollPacer pace, Driver<V> driver) {
    this.vertx = vertx;
    this.home = vertx.getOrCreateContext();
    this.consumer = consumer;
    this.positions = new Positions(consumer);
    this.thread = Executors.newSingleThreadExecutor(task -> daemon(task, name));
    this.pace = pace;
    this.driver = driver;
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts polling. Completes when the first poll has returned.
   *
   * @param subscription makes the consumer join a group, or assigns its partitions; runs on the
   *     poll thread
   */
  Future<Void> start(Runnable subscription) {
    return onThread(
            () -> {
              subscription.run();
              return null;
            })
        .compose(
            subscribed -> {
              Future<Void> first = afterNextPoll();
              poll();
              return first;
            });
  }

  /** Runs a call on the poll thread and completes on the loop's context. */
  private <T> Future<T> onThread(Callable<T> call) {
    Promise<T> outcome = Promise.promise();
    thread.execute(
        () -> {
          try {
            T result = call.call();
            home.runOnContext(now -> outcome.complete(result));
          } catch (Throwable failure) {
            home.runOnContext(now -> outcome.fail(failure));
          }
        });
    return outcome.future();
  }

  /**
   * The number of the next poll to be planned, whose plan includes everything that is decided now.
   */
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

  /**
   * Makes a changed plan take effect now: ends the poll in progress, or the pause before the next
   * one.
   */
  void wake() {
    pace.stir();
    if (polling && !woken && !closed) {
      woken = true;
      consumer.wakeup();
    }
    stopRest();
  }

  /** Whether the polls rest because nothing comes, which {@link #stir} ends; from any thread. */
  boolean isIdle() {
    return pace.isIdle();
  }

  /** Records are about to come: ends the pause before the next poll, and there is none for now. */
  void stir() {
    pace.stir();
    stopRest();
  }

  private void stopRest() {
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
    PollPlan plan = driver.plan(polls);
    Duration timeout = pace.pollTimeout();
    onThread(() -> poll(plan, timeout)).onComplete(this::polled);
  }

  private Polled<V> poll(PollPlan plan, Duration timeout) {
    plan.applyTo(consumer);
    positions.planned(plan);
    ConsumerRecords<String, V> records;
    try {
      records = consumer.poll(timeout);
    } catch (WakeupException newPlan) {
      records = ConsumerRecords.empty();
    }
    return new Polled<>(records, positions.moves(records, plan.running()));
  }

  private void polled(@Nullable Polled<V> polled, @Nullable Throwable failure) {
    if (closed) {
      return;
    }
    polling = false;
    boolean pause = false;
    Duration rest = polled == null ? Duration.ZERO : pace.restAfter(polled.records());
    try {
      if (polled != null) {
        backoff.reset();
        driver.polled(polls, polled);
      } else {
        pause = failure != null && !driver.handled(polls, failure);
      }
    } catch (RuntimeException bug) {
      // Without this the loop would end silently, and keep its partitions.
      log.atError().setCause(bug).log("records of a poll were not processed");
    }
    waitingForThis.forEach(Promise::complete);
    waitingForThis.clear();
    if (pause) {
      vertx.setTimer(backoff.next().toMillis(), id -> poll());
    } else if (!rest.isZero() && waiting.isEmpty()) {
      rest(rest);
    } else {
      poll();
    }
  }

  /**
   * Runs a task on the loop's context, after everything that the poll thread has reported so far.
   */
  void report(Runnable news) {
    home.runOnContext(now -> news.run());
  }

  /**
   * Like {@link #report}, for the poll thread, which waits until the task has ended; after the
   * longest time it continues, whatever the task does.
   */
  void reportAndWait(Supplier<Future<Void>> news, Duration max) {
    CountDownLatch ended = new CountDownLatch(1);
    report(() -> news.get().onComplete(any -> ended.countDown()));
    try {
      if (!ended.await(max.toMillis(), TimeUnit.MILLISECONDS)) {
        log.atInfo().addKeyValue("ms", max.toMillis()).log("a rebalance does not wait any longer");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the loop and leaves the group. */
  Future<Void> close() {
    if (closed) {
      return Future.succeededFuture();
    }
    closed = true;
    waiting.forEach(promise -> promise.fail(closedFailure()));
    waitingForThis.forEach(promise -> promise.fail(closedFailure()));
    consumer.wakeup();
    Future<Void> left =
        onThread(
            () -> {
              consumer.close(LEAVE_TIMEOUT);
              return null;
            });
    thread.shutdown();
    return TimeLimit.of(CLOSE_TIMEOUT_MS, left);
  }

  private static IllegalStateException closedFailure() {
    return new IllegalStateException("Expected the consumer to be open, but it is closed");
  }

  /** Where the partitions of a consumer are read next. Used on its poll thread. */
  static final class Positions {
    /**
     * How far a poll has brought a partition.
     *
     * @param from its position before
     * @param to its position after; everything below was delivered, or is for no reader
     */
    record Move(long from, long to) {}

    private final Consumer<?, ?> consumer;
    private final Map<Integer, Long> known = new HashMap<>();

    /** The failure of asking for a position, which the next poll throws. */
    private @Nullable RuntimeException postponed;

    Positions(Consumer<?, ?> consumer) {
      this.consumer = consumer;
    }

    /** Called when a plan has been applied. */
    void planned(PollPlan plan) {
      known.putAll(plan.seeks());
      RuntimeException found = postponed;
      if (found != null) {
        postponed = null;
        throw found;
      }
    }

    /** How far a poll has brought these partitions. Never throws: its records must be delivered. */
    Map<Integer, Move> moves(ConsumerRecords<?, ?> records, Set<Integer> running) {
      Map<Integer, Move> moves = new HashMap<>();
      for (TopicPartition from : consumer.assignment()) {
        Long before = known.get(from.partition());
        if (before != null && running.contains(from.partition())) {
          long read = endOf(records.records(from), before);
          long after = Math.max(read, position(from, read));
          moves.put(from.partition(), new Move(before, after));
          known.put(from.partition(), after);
        }
      }
      return moves;
    }

    private static long endOf(List<? extends ConsumerRecord<?, ?>> records, long before) {
      return records.isEmpty() ? before : records.get(records.size() - 1).offset() + 1;
    }

    /** Without I/O, unless the position must be validated, which the next poll does. */
    private long position(TopicPartition partition, long atLeast) {
      try {
        return consumer.position(partition, Duration.ZERO);
      } catch (TimeoutException | WakeupException later) {
        return atLeast;
      } catch (RuntimeException ofTheNextPoll) {
        postponed = ofTheNextPoll;
        return atLeast;
      }
    }
  }

  /**
   * Logs failed polls: each new reason once, since a refused login fails every poll until an
   * operator changes something. Records end a failure; polls without any may lie between two
   * attempts to connect.
   */
  static final class PollFaults {
    private static final Logger log = LoggerFactory.getLogger(PollFaults.class);

    private final String topic;
    private String last = "";

    PollFaults(String topic) {
      this.topic = topic;
    }

    void failed(Throwable failure) {
      String why = ConnectFault.line(failure);
      if (!why.equals(last)) {
        last = why;
        log.atWarn()
            .addKeyValue("topic", topic)
            .addKeyValue("reason", KafkaFailures.classified(failure).connectFault().text())
            .addKeyValue("cause", why)
            .log("poll failed; retried until it succeeds");
      }
    }

    void polled(ConsumerRecords<?, ?> records) {
      if (!records.isEmpty()) {
        last = "";
      }
    }
  }
}
