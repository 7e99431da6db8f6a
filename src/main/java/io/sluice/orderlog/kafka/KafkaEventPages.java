package io.sluice.orderlog.kafka;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.sluice.async.Asker;
import io.sluice.async.SharedQuestion;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.NoCursor;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.sluice.orderlog.kafka.EventSeal.Author;
import io.sluice.orderlog.kafka.KafkaAdmin.Kept;
import io.sluice.orderlog.kafka.KafkaAdmin.OffsetRange;
import io.sluice.orderlog.kafka.PollLoop.Positions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of {@code stock-events} by offsets, for any number of readers with one consumer,
 * which no group knows. A page is read only if there are records behind its cursor, on a thread of
 * its own, one after the other.
 *
 * <p>A partition that cannot be read now is left where it is, so its events come later. Events that
 * this ledger's instances have not signed are passed over.
 */
public final class KafkaEventPages implements EventPages {
  /** Readers that wait for the thread. Both ports admit fewer. */
  private static final int WAITING_MAX = 256;

  /**
   * A page that has waited for longer is not read: its caller is answered that it may ask again.
   */
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  /** For one page. */
  private static final Duration READ_MAX = Duration.ofSeconds(1);

  private static final Duration POLL = Duration.ofMillis(200);

  /** Of one page, shown or not. */
  private static final int RECORDS_MAX = 10_000;

  private static final int BYTES_MAX = 4 * 1024 * 1024;
  private static final int SHOWN_BYTES_MAX = 1024 * 1024;

  /** Longer than a page takes. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final Vertx vertx;
  private final KafkaConfig config;
  private final KafkaAdmin admin;
  private final EventSeal seal;
  private final InstantSource clock;
  private final SharedQuestion<String, Kept> kept;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_MAX),
          task -> PollLoop.daemon(task, "sluice-event-pages"));

  /**
   * Used on the thread, and once that has ended; null until the first page, and after a failure.
   */
  private @Nullable Consumer<String, byte[]> consumer;

  private volatile boolean closed;

  /**
   * @param seal of this ledger
   * @param clock tells when a page was read
   */
  public KafkaEventPages(
      Vertx vertx, KafkaConfig config, KafkaAdmin admin, EventSeal seal, InstantSource clock) {
    this.vertx = vertx;
    this.config = config;
    this.admin = admin;
    this.seal = seal;
    this.clock = clock;
    this.kept =
        new SharedQuestion<>(
            SharedQuestion.same(() -> admin.kept(config.eventsTopic(), config.partitions())),
            KafkaAdmin.EndOffsets.GATHER_MS);
  }

  @Override
  public Future<Found> after(String after, int limit, boolean heartbeats) {
    Optional<EventCursor> cursor = EventCursor.parse(after);
    boolean isFixed = after.equals(OLDEST) || after.equals(NEWEST);
    if (!isFixed && cursor.isEmpty()) {
      // A number is of a time when the ledger kept the events.
      return Future.succeededFuture(
          NUMBER.matcher(after).matches() ? new Gone(0, 0) : new NoCursor());
    }
    long nowMs = clock.millis();
    return kept.ask(after)
        .compose(
            now -> {
              if (after.equals(NEWEST)) {
                return newest(now, nowMs);
              }
              EventCursor from =
                  cursor.orElseGet(() -> new EventCursor(now.topicId(), 0, Map.of()));
              return page(new Asked(from, now, limit, heartbeats, nowMs));
            })
        .recover(failure -> Future.failedFuture(unavailable(failure)));
  }

  /**
   * A question.
   *
   * @param now what the topic had at {@code nowMs} or later
   */
  private record Asked(EventCursor from, Kept now, int limit, boolean heartbeats, long nowMs) {
    boolean isOtherTopic() {
      return !from.topicId().equals(now.topicId());
    }

    /** The partitions whose next event is not there any more, or not yet: it is another one. */
    Set<Integer> lost() {
      Set<Integer> lost = new HashSet<>(now.ranges().keySet());
      lost.removeIf(
          partition -> {
            Long next = from.offsets().get(partition);
            return next == null || range(partition).holds(next);
          });
      return lost;
    }

    OffsetRange range(int partition) {
      return Objects.requireNonNull(now.ranges().get(partition));
    }

    /** Where the partitions are read that can be read. */
    Map<Integer, Long> begins() {
      Map<Integer, Long> begins = new HashMap<>();
      now.ranges()
          .forEach(
              (partition, range) ->
                  begins.put(partition, from.offsets().getOrDefault(partition, range.begin())));
      return begins;
    }

    /** Those of these that have records. */
    Map<Integer, Long> pending(Map<Integer, Long> places) {
      return places.entrySet().stream()
          .filter(place -> place.getValue() < range(place.getKey()).end())
          .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * @param reached the next offset of each partition that can be read
     */
    Page page(List<String> events, Map<Integer, Long> reached, int partitions) {
      boolean more = !pending(reached).isEmpty();
      boolean isAll = !more && reached.size() == partitions;
      Map<Integer, Long> places = new HashMap<>(from.offsets());
      places.putAll(reached);
      EventCursor next = new EventCursor(now.topicId(), isAll ? nowMs : from.readMs(), places);
      return new Page(events, next.text(), more);
    }
  }

  private Future<Found> newest(Kept now, long nowMs) {
    if (now.ranges().size() < config.partitions()) {
      return Future.failedFuture(
          new LogUnavailableException(
              "Expected the ends of %d partitions, but got %d"
                  .formatted(config.partitions(), now.ranges().size())));
    }
    Map<Integer, Long> ends = new HashMap<>();
    now.ranges().forEach((partition, range) -> ends.put(partition, range.end()));
    return Future.succeededFuture(
        new Page(List.of(), new EventCursor(now.topicId(), nowMs, ends).text(), false));
  }

  private Future<Found> page(Asked asked) {
    Set<Integer> lost = asked.isOtherTopic() ? asked.now().ranges().keySet() : asked.lost();
    if (!lost.isEmpty() || asked.isOtherTopic()) {
      return gone(asked, lost);
    }
    Map<Integer, Long> begins = asked.begins();
    if (begins.isEmpty()) {
      return Future.failedFuture(
          new LogUnavailableException("Expected partitions with a leader, but there are none"));
    }
    Map<Integer, Long> pending = asked.pending(begins);
    if (pending.isEmpty()) {
      return Future.succeededFuture(asked.page(List.of(), begins, config.partitions()));
    }
    return onThread(() -> read(asked, begins, pending))
        .recover(
            failure ->
                failure instanceof OffsetOutOfRangeException deleted
                    ? gone(asked, partitions(deleted))
                    : Future.failedFuture(failure));
  }

  private static Set<Integer> partitions(OffsetOutOfRangeException deleted) {
    Set<Integer> lost = new HashSet<>();
    deleted.partitions().forEach(where -> lost.add(where.partition()));
    return lost;
  }

  /**
   * What was written later than the oldest record of each partition is there. Cursors and records
   * may be of others, so no time of theirs is believed that is still to come.
   */
  private Future<Found> gone(Asked asked, Set<Integer> lost) {
    return admin
        .oldestMs(config.eventsTopic(), lost)
        .map(
            oldest -> {
              long keptFromMs = oldest.values().stream().mapToLong(each -> each).max().orElse(0);
              return new Gone(
                  Math.min(asked.from().readMs(), asked.nowMs()),
                  Math.min(keptFromMs, asked.nowMs()));
            });
  }

  private static LogUnavailableException unavailable(Throwable failure) {
    return failure instanceof LogUnavailableException known
        ? known
        : new LogUnavailableException("Expected a page of events, but: " + failure, failure);
  }

  // ---- on the thread

  private Future<Found> onThread(Supplier<Found> reading) {
    Asker<Found> asker = Asker.here();
    long askedNanos = System.nanoTime();
    try {
      thread.execute(() -> asker.tell(outcome(reading, askedNanos)));
    } catch (RejectedExecutionException full) {
      return Future.failedFuture(
          new LogUnavailableException("Expected room for one more reader, but there is none"));
    }
    return asker.answer();
  }

  private Future<Found> outcome(Supplier<Found> reading, long askedNanos) {
    if (closed || System.nanoTime() - askedNanos > WAIT_MAX.toNanos()) {
      return Future.failedFuture(
          new LogUnavailableException("Expected to read within " + WAIT_MAX + ", but others read"));
    }
    try {
      return Future.succeededFuture(reading.get());
    } catch (RuntimeException failure) {
      forget();
      return Future.failedFuture(failure);
    }
  }

  /** The next page is read by another consumer. */
  private void forget() {
    Consumer<String, byte[]> before = consumer;
    consumer = null;
    if (before != null) {
      before.close(READ_MAX);
    }
  }

  private Consumer<String, byte[]> consumer() {
    Consumer<String, byte[]> known = consumer;
    if (known == null) {
      known =
          new KafkaConsumer<>(
              ClientSettings.pageConsumer(config),
              new StringDeserializer(),
              new ByteArrayDeserializer());
      consumer = known;
    }
    return known;
  }

  private Found read(Asked asked, Map<Integer, Long> begins, Map<Integer, Long> pending) {
    Consumer<String, byte[]> from = consumer();
    from.assign(pending.keySet().stream().map(this::topicPartition).toList());
    Reading reading = new Reading(asked, from, pending);
    reading.poll();
    from.unsubscribe();
    Map<Integer, Long> reached = new HashMap<>(begins);
    List<String> events = reading.take(reached);
    if (reached.equals(begins)) {
      throw new LogUnavailableException(
          "Expected records of partitions %s within %s, but got none"
              .formatted(pending.keySet(), READ_MAX));
    }
    return asked.page(events, reached, config.partitions());
  }

  private TopicPartition topicPartition(int partition) {
    return new TopicPartition(config.eventsTopic(), partition);
  }

  /** The event of a record, if an instance of this ledger has signed it; else null. */
  private @Nullable Event ours(ConsumerRecord<String, byte[]> record) {
    Event event = KafkaEventFeed.eventIn(record);
    return event != null && seal.authorOf(record) == Author.OURS ? event : null;
  }

  /** Fails all waiting questions, and ends. */
  public Future<Void> close() {
    closed = true;
    thread.shutdown();
    return vertx.<@Nullable Void>executeBlocking(
        () -> {
          if (thread.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            forget();
          }
          return null;
        });
  }

  /** The records of a page, of several partitions; each of them gets its share. */
  private final class Reading {
    /** A record, and what is shown of it; null if nothing is. */
    private record Read(ConsumerRecord<String, byte[]> record, @Nullable String shown) {}

    private final Asked asked;
    private final Consumer<String, byte[]> from;
    private final Positions positions;
    private final int shareMax;
    private final Set<Integer> open;
    private final Map<Integer, Deque<Read>> read = new HashMap<>();

    /** Behind the last record there may be markers, which no reader is given. */
    private final Map<Integer, Long> ends = new HashMap<>();

    private Map<Integer, Long> seeks;
    private int records;
    private int shown;
    private long bytes;

    Reading(Asked asked, Consumer<String, byte[]> from, Map<Integer, Long> pending) {
      this.asked = asked;
      this.from = from;
      this.positions = new Positions(from);
      this.seeks = pending;
      this.open = new HashSet<>(pending.keySet());
      this.shareMax = Math.max(1, RECORDS_MAX / pending.size());
      pending.keySet().forEach(partition -> read.put(partition, new ArrayDeque<>()));
    }

    /** Reads until there is enough, or all is read, or the time is over. */
    void poll() {
      long endNanos = System.nanoTime() + READ_MAX.toNanos();
      while (!open.isEmpty() && !isEnough() && System.nanoTime() - endNanos < 0) {
        PollPlan plan = new PollPlan(seeks, Set.copyOf(open));
        seeks = Map.of();
        plan.applyTo(from);
        positions.planned(plan);
        ConsumerRecords<String, byte[]> polled = from.poll(POLL);
        polled.forEach(this::keep);
        positions
            .moves(polled, plan.running())
            .forEach((partition, move) -> ends.put(partition, move.to()));
        open.removeIf(this::isOver);
      }
    }

    private boolean isEnough() {
      return records >= RECORDS_MAX
          || bytes >= BYTES_MAX
          || (shown >= asked.limit() && read.values().stream().noneMatch(Deque::isEmpty));
    }

    private boolean isOver(int partition) {
      return ends.getOrDefault(partition, 0L) >= asked.range(partition).end()
          || queue(partition).size() >= shareMax;
    }

    private void keep(ConsumerRecord<String, byte[]> record) {
      Event event = ours(record);
      boolean isShown =
          event != null && (asked.heartbeats() || !event.type().equals(Event.HEARTBEAT));
      records++;
      shown += isShown ? 1 : 0;
      bytes += record.serializedValueSize();
      queue(record.partition())
          .add(new Read(record, event != null && isShown ? event.payload() : null));
    }

    private Deque<Read> queue(int partition) {
      return Objects.requireNonNull(read.get(partition));
    }

    /**
     * The events of the page, of all partitions by the time when they were written.
     *
     * @param reached is brought up to date
     */
    List<String> take(Map<Integer, Long> reached) {
      PriorityQueue<Deque<Read>> oldest =
          new PriorityQueue<>(
              Comparator.comparingLong(queue -> queue.getFirst().record().timestamp()));
      read.values().stream().filter(queue -> !queue.isEmpty()).forEach(oldest::add);
      List<String> events = new ArrayList<>();
      long length = 0;
      while (!oldest.isEmpty() && events.size() < asked.limit() && length < SHOWN_BYTES_MAX) {
        Deque<Read> queue = oldest.remove();
        Read next = queue.removeFirst();
        reached.put(next.record().partition(), next.record().offset() + 1);
        if (next.shown() != null) {
          events.add(next.shown());
          length += next.shown().length();
        }
        if (!queue.isEmpty()) {
          oldest.add(queue);
        }
      }
      read.forEach(
          (partition, queue) -> {
            if (queue.isEmpty() && ends.containsKey(partition)) {
              reached.put(partition, Objects.requireNonNull(ends.get(partition)));
            }
          });
      return events;
    }
  }
}
