package io.sluice.orderlog.kafka;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.kafka.RecordGathering.Together;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer that gathers what its callers send ({@link RecordGathering}), never blocks them, and
 * limits what waits or is in flight (back-pressure). Any thread may send; each Future completes on
 * the context of its caller.
 *
 * <p>Kafka's client is called on a thread of its own, because a send without metadata blocks. Acks
 * are taken on the client's thread: what waits for one does not wait for a busy event loop. The
 * limits are well below the client's buffer, because its batches may be half empty: a full buffer
 * would block the thread and all sends behind it.
 *
 * <p>When a record fails, the sends that wait behind it fail as well, unsent: they would most
 * likely fail too, and their callers choose another route.
 */
final class BoundedProducer {
  static final int SENDS_MAX = 16_384;
  static final long BYTES_MAX = ClientSettings.PRODUCER_BUFFER_BYTES / 4;

  private static final int WARM_UPS_MAX = 20;

  /**
   * How sends of a partition that go together become records.
   *
   * @param bytesMax of the values that are joined; a single one may exceed it
   * @param join the value of a record with these; it has the key and the headers of the first
   */
  record Joining(int bytesMax, Function<List<byte[]>, byte[]> join) {
    /** Each send is a record. */
    static final Joining NONE = new Joining(0, values -> values.get(0));
  }

  private static final class Send {
    private final ProducerRecord<String, byte[]> record;
    private final long dueNanos;
    private final Promise<Long> ack;

    /** Whether it is answered or given up. Written with the lock of the producer. */
    private volatile boolean over;

    Send(ProducerRecord<String, byte[]> record, long dueNanos, Promise<Long> ack) {
      this.record = record;
      this.dueNanos = dueNanos;
      this.ack = ack;
    }

    int bytes() {
      return record.value().length;
    }

    /** After a failure the outcome is unknown. */
    void fail(Object why, @Nullable Throwable cause) {
      ack.fail(
          new LogUnavailableException(
              "Expected the ack of a record of %s-%d, but: %s"
                  .formatted(record.topic(), record.partition(), why),
              cause));
    }
  }

  private final Vertx vertx;
  private final Producer<String, byte[]> producer;
  private final Joining joining;
  private final Duration deliveryMax;
  private final ExecutorService thread;
  private final Poll poll;

  /** Belongs to no verticle, whose end would cancel its timers. */
  private final ContextInternal timers;

  // Guarded by this.
  private final RecordGathering<Send> gathering;
  private final Map<Integer, List<Promise<Void>>> forRoom = new HashMap<>();

  /** What is neither answered nor given up, in the order of the deadlines. */
  private final Set<Send> open = new LinkedHashSet<>();

  private int sends;
  private long bytes;
  private boolean steps;
  private boolean watches;
  private boolean closing;
  private boolean closed;

  /**
   * @param producer not used otherwise
   */
  BoundedProducer(
      Vertx vertx,
      Producer<String, byte[]> producer,
      String name,
      int deliveryTimeoutMs,
      Joining joining) {
    this.vertx = vertx;
    this.producer = producer;
    this.joining = joining;
    this.deliveryMax = Duration.ofMillis(deliveryTimeoutMs);
    this.thread = Executors.newSingleThreadExecutor(task -> PollLoop.daemon(task, name));
    this.poll = Poll.onTimers(vertx);
    this.timers = ((VertxInternal) vertx).createEventLoopContext();
    this.gathering = new RecordGathering<>(Send::bytes, joining.bytesMax());
  }

  /**
   * Connects, and fetches the metadata of the topic, so that the first send need not wait for it.
   *
   * @param topic the only one that is sent to
   */
  static Future<BoundedProducer> open(
      Vertx vertx, KafkaConfig config, String topic, Joining joining) {
    return vertx
        .executeBlocking(
            () ->
                new KafkaProducer<>(
                    ClientSettings.producer(config),
                    new StringSerializer(),
                    new ByteArraySerializer()))
        .compose(
            raw ->
                warmUp(vertx, raw, topic)
                    .map(
                        warm ->
                            new BoundedProducer(
                                vertx,
                                raw,
                                "sluice-send-" + topic,
                                config.deliveryTimeoutMs(),
                                joining))
                    .recover(
                        failure ->
                            vertx
                                .executeBlocking(() -> closed(raw))
                                .transform(x -> Future.failedFuture(failure))));
  }

  private static Void closed(Producer<String, byte[]> raw) {
    raw.close(Duration.ZERO);
    return null;
  }

  /** Each attempt takes up to max.block.ms. */
  private static Future<Void> warmUp(Vertx vertx, Producer<String, byte[]> raw, String topic) {
    AtomicInteger triesLeft = new AtomicInteger(WARM_UPS_MAX);
    return AsyncLoop.whileTrue(
        () ->
            vertx
                .executeBlocking(() -> raw.partitionsFor(topic))
                .map(false)
                .recover(
                    failure ->
                        triesLeft.decrementAndGet() > 0
                            ? Future.succeededFuture(true)
                            : Future.failedFuture(
                                new LogUnavailableException(
                                    "Expected the metadata of topic %s, but it is not available"
                                        .formatted(topic),
                                    failure))));
  }

  /**
   * Sends a record, alone or joined with others, and waits for the ack of all in-sync replicas, at
   * most delivery.timeout.ms. After a failure the outcome is unknown, unless it is {@link
   * LogFullException}. What one turn of an event loop sends goes together, unless something else is
   * handed over meanwhile.
   *
   * @return the offset of the record that it is in
   */
  Future<Long> send(ProducerRecord<String, byte[]> record) {
    Promise<Long> ack = promise();
    boolean isDue;
    synchronized (this) {
      int size = record.value().length;
      if (closing) {
        return Future.failedFuture(
            new LogUnavailableException("Expected an open producer, but it is closed"));
      }
      if (sends == SENDS_MAX || bytes + size > BYTES_MAX) {
        return Future.failedFuture(full());
      }
      Send send = new Send(record, System.nanoTime() + deliveryMax.toNanos(), ack);
      sends++;
      bytes += size;
      open.add(send);
      isDue = gathering.add(record.partition(), send) && !steps;
      watch();
    }
    if (isDue) {
      atEndOfTurn(this::step);
    }
    return ack.future();
  }

  private static LogFullException full() {
    return new LogFullException(
        "Expected at most %d appends or %d bytes in flight, but there are as many"
            .formatted(SENDS_MAX, BYTES_MAX));
  }

  private static <T> Promise<T> promise() {
    ContextInternal caller = ContextInternal.current();
    return caller == null ? Promise.promise() : caller.promise();
  }

  private static void atEndOfTurn(Runnable task) {
    ContextInternal caller = ContextInternal.current();
    if (caller == null) {
      task.run();
    } else {
      caller.runOnContext(next -> task.run());
    }
  }

  /** Has what may go handed over, unless that is under way. */
  private synchronized void step() {
    if (!closed && !steps && gathering.isReady()) {
      steps = true;
      thread.execute(this::handOver);
    }
  }

  private void handOver() {
    List<Together<Send>> records;
    List<Promise<Void>> roomy;
    synchronized (this) {
      steps = false;
      records = gathering.take();
      roomy = roomy();
    }
    records.forEach(this::handOver);
    roomy.forEach(Promise::complete);
  }

  /** Those whose callers have given up, while the client blocked, are not sent any more. */
  private void handOver(Together<Send> together) {
    List<Send> awaited = together.items().stream().filter(send -> !send.over).toList();
    if (awaited.isEmpty()) {
      answered(together, null, null);
      return;
    }
    try {
      producer.send(
          joined(awaited),
          (sent, failure) -> answered(together, failure == null ? sent : null, failure));
    } catch (RuntimeException | Error failure) {
      // Also without memory for it: what is behind it waits for this answer.
      answered(together, null, failure);
    }
  }

  private ProducerRecord<String, byte[]> joined(List<Send> sends) {
    ProducerRecord<String, byte[]> first = sends.get(0).record;
    if (sends.size() == 1) {
      return first;
    }
    List<byte[]> values = new ArrayList<>(sends.size());
    sends.forEach(send -> values.add(send.record.value()));
    return new ProducerRecord<>(
        first.topic(),
        first.partition(),
        first.key(),
        joining.join().apply(values),
        first.headers());
  }

  /** On the client's thread, or on this producer's. */
  private void answered(
      Together<Send> together, @Nullable RecordMetadata sent, @Nullable Throwable failure) {
    boolean next;
    List<Send> heard;
    List<Promise<Void>> roomy;
    synchronized (this) {
      next = gathering.answered(together.partition());
      heard = new ArrayList<>(left(together.items()));
      if (failure != null) {
        heard.addAll(left(gathering.drop(together.partition())));
      }
      roomy = roomy();
    }
    for (Send send : heard) {
      if (sent != null) {
        send.ack.complete(sent.offset());
      } else {
        send.fail(String.valueOf(failure), failure);
      }
    }
    roomy.forEach(Promise::complete);
    // Other partitions have a step of their own under way, at the end of a turn.
    if (next) {
      step();
    }
  }

  /** These are over now, and use no room any more. Returns those that still have to hear. */
  private List<Send> left(Collection<Send> some) {
    List<Send> unheard = new ArrayList<>(some.size());
    for (Send send : some) {
      sends--;
      bytes -= send.bytes();
      open.remove(send);
      if (!send.over) {
        send.over = true;
        unheard.add(send);
      }
    }
    return unheard;
  }

  private void watch() {
    if (!watches && !open.isEmpty()) {
      watches = true;
      long restNanos = open.iterator().next().dueNanos - System.nanoTime();
      long restMs = Math.max(1, NANOSECONDS.toMillis(restNanos + 999_999));
      timers.runOnContext(now -> vertx.setTimer(restMs, fired -> giveUp()));
    }
  }

  /** A record that is handed over may still appear in the log. */
  private void giveUp() {
    List<Send> late = new ArrayList<>();
    synchronized (this) {
      watches = false;
      long now = System.nanoTime();
      for (Send send : open) {
        if (send.dueNanos - now > 0) {
          break;
        }
        send.over = true;
        late.add(send);
      }
      late.forEach(open::remove);
      watch();
    }
    late.forEach(send -> send.fail("not in " + deliveryMax, null));
  }

  /**
   * Completes when a send to this partition would not wait for an ack before it is handed over. It
   * has no time limit.
   */
  Future<Void> room(int partition) {
    synchronized (this) {
      if (gathering.hasRoom(partition)) {
        return Future.succeededFuture();
      }
      Promise<Void> room = promise();
      forRoom.computeIfAbsent(partition, absent -> new ArrayList<>()).add(room);
      return room.future();
    }
  }

  private List<Promise<Void>> roomy() {
    if (forRoom.isEmpty()) {
      return List.of();
    }
    List<Promise<Void>> roomy = new ArrayList<>();
    forRoom
        .entrySet()
        .removeIf(
            waiting -> gathering.hasRoom(waiting.getKey()) && roomy.addAll(waiting.getValue()));
    return roomy;
  }

  /**
   * Waits until at most half as much waits and is in flight as may be; at most delivery.timeout.ms,
   * then it fails with {@link LogFullException}. For callers that wait anyway and share this
   * producer.
   */
  Future<Void> capacity() {
    return poll.until(
            poll.deadline(deliveryMax), () -> Future.succeededFuture(isHalfEmpty()), half -> half)
        .compose(half -> half ? Future.succeededFuture() : Future.failedFuture(full()));
  }

  private synchronized boolean isHalfEmpty() {
    return sends <= SENDS_MAX / 2 && bytes <= BYTES_MAX / 2;
  }

  /** The number of sends that wait or are in flight. */
  synchronized int inFlight() {
    return sends;
  }

  /** Waits for what waits and is in flight, at most delivery.timeout.ms. */
  Future<Void> close() {
    synchronized (this) {
      closing = true;
    }
    return poll.until(
            poll.deadline(deliveryMax), () -> Future.succeededFuture(inFlight()), left -> left == 0)
        .compose(
            left -> {
              synchronized (this) {
                closed = true;
              }
              thread.shutdown();
              return vertx.executeBlocking(() -> closed(producer));
            });
  }
}
