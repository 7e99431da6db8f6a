package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.NoCursor;
import io.sluice.orderlog.EventPages.Found.Page;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages of the topic of events, of a real broker. */
class KafkaEventPagesIT {
  private static final int LIMIT = 100;
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaEventPublisher publisher = kafka.publisher();
  private final EventPages pages = kafka.pages();

  @AfterEach
  void close() {
    kafka.close();
  }

  private Found ask(EventPages of, String after, int limit, boolean heartbeats) {
    return kafka.await(() -> of.after(after, limit, heartbeats));
  }

  private Page page(String after, int limit) {
    return (Page) ask(pages, after, limit, false);
  }

  private void publish(int partition, String name, int count) {
    kafka.await(
        () ->
            publisher.publish(
                partition, IntStream.range(0, count).mapToObj(i -> event("T", name + i)).toList()));
  }

  private static Event event(String type, String name) {
    return new Event(type, name, "{\"type\":\"%s\",\"name\":\"%s\"}".formatted(type, name));
  }

  private static List<String> names(List<String> events) {
    return events.stream().map(event -> event.replaceAll(".*\"name\":\"|\"}$", "")).toList();
  }

  private static List<String> names(String name, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> name + i).toList();
  }

  /** All events behind a cursor, page by page, and the last cursor behind them. */
  private List<String> readOn(EventPages of, String after, int limit) {
    List<String> read = new ArrayList<>();
    String cursor = after;
    while (true) {
      Page page = (Page) ask(of, cursor, limit, false);
      read.addAll(names(page.events()));
      cursor = page.next();
      if (!page.more()) {
        read.add(cursor);
        return read;
      }
    }
  }

  @Test
  void shouldReadAllInOrderPerPartitionWhateverTheSizeOfThePages() {
    // given
    publish(0, "a", 40);
    publish(3, "b", 90);

    // when
    List<String> read = readOn(pages, "0", 7);

    // then
    assertThat(read.stream().filter(name -> name.startsWith("a")))
        .containsExactlyElementsOf(names("a", 0, 40));
    assertThat(read.stream().filter(name -> name.startsWith("b")))
        .containsExactlyElementsOf(names("b", 0, 90));
  }

  @Test
  void shouldGoOnWhereItWasWhenAnotherInstanceIsAsked() {
    // given
    publish(1, "a", 3);
    String cursor = page("0", LIMIT).next();
    publish(1, "b", 2);
    publish(2, "c", 2);
    EventPages other = kafka.pages();

    // when
    Page next = (Page) ask(other, cursor, LIMIT, false);

    // then
    assertThat(names(next.events())).containsExactlyInAnyOrder("b0", "b1", "c0", "c1");
    assertThat(next.more()).isFalse();
  }

  @Test
  void shouldGiveNoPartitionAllTheRoomWhenAnotherHasABacklog() {
    // given
    publish(0, "backlog", 3_000);
    publish(1, "late", 1);

    // when
    List<String> read = names(((Page) ask(pages, "0", 500, false)).events());
    List<String> all = readOn(pages, "0", 500);

    // then
    assertThat(read).hasSize(500).startsWith("backlog0", "backlog1");
    assertThat(all).hasSize(3_002).contains("late0");
  }

  @Test
  void shouldBeginBehindTheNewestWhenAsked() {
    // given
    publish(0, "before", 5);

    // when
    Page newest = page("newest", LIMIT);
    publish(0, "after", 2);
    Page next = page(newest.next(), LIMIT);

    // then
    assertThat(newest.events()).isEmpty();
    assertThat(names(next.events())).containsExactly("after0", "after1");
  }

  @Test
  void shouldShowHeartbeatsWhenAskedOnly() {
    // given
    kafka.await(
        () ->
            publisher.publish(
                2,
                List.of(
                    event("T", "a"), event(Event.HEARTBEAT, "h1"), event(Event.HEARTBEAT, "h2"))));

    // when
    Page without = page("0", LIMIT);
    Page with = (Page) ask(pages, "0", LIMIT, true);

    // then
    assertThat(names(without.events())).containsExactly("a");
    assertThat(names(with.events())).containsExactly("a", "h1", "h2");
    assertThat(page(without.next(), LIMIT).events()).isEmpty();
  }

  @Test
  void shouldPassOverWhatNoInstanceOfTheLedgerHasSigned() {
    // given
    stranger("forged");
    publish(0, "ours", 1);
    kafka.appendInATransaction(kafka.config().eventsTopic(), 0, new byte[] {1});

    // when
    Page all = page("0", LIMIT);

    // then
    assertThat(names(all.events())).containsExactly("ours0");
    assertThat(all.more()).as("the marker of the transaction is passed").isFalse();
    assertThat(places(page(all.next(), LIMIT))).isEqualTo(places(all));
  }

  private static Map<Integer, Long> places(Page page) {
    return EventCursor.parse(page.next()).orElseThrow().offsets();
  }

  private void stranger(String name) {
    Event event = event("T", name);
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            kafka.config().eventsTopic(), 0, event.key(), event.payload().getBytes(UTF_8));
    record.headers().add(KafkaEventPublisher.TYPE_HEADER, event.type().getBytes(UTF_8));
    new EventSeal(KafkaFixture.LEDGER, new byte[] {1}).addTo(record);
    try (KafkaProducer<String, byte[]> other =
        new KafkaProducer<>(
            ClientSettings.producer(kafka.config()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      other.send(record);
    }
  }

  private boolean publishHeartbeats() {
    kafka.await(
        () ->
            publisher.publish(
                1,
                IntStream.range(0, 200)
                    .mapToObj(each -> new Event(Event.HEARTBEAT, "h" + each, "{}"))
                    .toList()));
    return true;
  }

  /** Heartbeats of a day are more than a page reads. */
  @Test
  void shouldComeToAnEventBehindManyHeartbeats() {
    // given
    for (int i = 0; i < 60; i++) {
      await().atMost(WITHIN).ignoreExceptions().until(this::publishHeartbeats);
    }
    publish(1, "a", 1);

    // when
    Page first = page("0", LIMIT);
    List<String> read = readOn(pages, "0", LIMIT);

    // then
    assertThat(first.events()).isEmpty();
    assertThat(first.more()).isTrue();
    assertThat(read).startsWith("a0").hasSize(2);
  }

  @Test
  void shouldSayFromWhenEventsAreMissingWhenTheyWereDeletedUnread() throws Exception {
    // given
    publish(1, "a", 2);
    publish(2, "b", 2);
    String early = page("0", 1).next();
    String read = page("0", LIMIT).next();
    long readMs = EventCursor.parse(read).orElseThrow().readMs();
    publish(1, "c", 3);
    delete(1, 4);

    // when
    Found unread = ask(pages, read, LIMIT, false);
    Found never = ask(pages, early, LIMIT, false);
    Page again = page("0", LIMIT);

    // then
    assertThat(unread).isInstanceOf(Gone.class);
    assertThat(((Gone) unread).lostFromMs()).isEqualTo(readMs).isPositive();
    assertThat(((Gone) unread).keptFromMs()).isGreaterThanOrEqualTo(readMs - 1_000);
    assertThat(((Gone) never).lostFromMs()).isZero();
    assertThat(names(again.events())).containsExactlyInAnyOrder("b0", "b1", "c2");
  }

  @Test
  void shouldGoOnWhenWhatWasReadIsDeleted() throws Exception {
    // given
    publish(1, "a", 3);
    String read = page("0", LIMIT).next();
    delete(1, 3);
    publish(1, "b", 1);

    // when
    Page next = page(read, LIMIT);

    // then
    assertThat(names(next.events())).containsExactly("b0");
  }

  private void delete(int partition, long before) throws Exception {
    kafka
        .rawAdmin()
        .deleteRecords(
            Map.of(
                new TopicPartition(kafka.config().eventsTopic(), partition),
                RecordsToDelete.beforeOffset(before)))
        .all()
        .get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldSayThatEventsAreGoneWhenTheTopicIsMadeAnew() throws Exception {
    // given
    publish(1, "a", 3);
    String read = page("0", LIMIT).next();
    String topic = kafka.config().eventsTopic();
    var admin = kafka.rawAdmin();

    // when
    admin.deleteTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
    await()
        .ignoreExceptions()
        .until(
            () -> {
              admin
                  .createTopics(List.of(new NewTopic(topic, KafkaFixture.PARTITIONS, (short) 1)))
                  .all()
                  .get(10, TimeUnit.SECONDS);
              return true;
            });

    // then
    await()
        .atMost(WITHIN)
        .ignoreExceptions()
        .until(() -> ask(pages, read, LIMIT, false) instanceof Gone);
    await()
        .atMost(WITHIN)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              publish(1, "b", 1);
              assertThat(names(page("0", LIMIT).events())).contains("b0");
            });
  }

  /** The end of a partition that has lost records is before the cursor. */
  @Test
  void shouldSayThatEventsAreGoneWhenTheCursorIsBeyondTheEnd() {
    // given
    publish(1, "a", 3);
    EventCursor read = EventCursor.parse(page("0", LIMIT).next()).orElseThrow();
    String beyond =
        new EventCursor(read.topicId(), Long.MAX_VALUE, Map.of(0, 0L, 1, 4L, 2, 0L, 3, 0L)).text();

    // when
    Found found = ask(pages, beyond, LIMIT, false);

    // then
    assertThat(found).isInstanceOf(Gone.class);
    assertThat(((Gone) found).lostFromMs()).isBetween(read.readMs(), System.currentTimeMillis());
  }

  @Test
  void shouldTellACursorFromOtherTexts() {
    // when
    Found number = ask(pages, "17", LIMIT, false);
    Found text = ask(pages, "latest", LIMIT, false);

    // then
    assertThat(number).isEqualTo(new Gone(0, 0));
    assertThat(text).isEqualTo(new NoCursor());
  }

  @Test
  void shouldAnswerEachOfManyReadersOnItsOwnContext() {
    // given
    publish(0, "a", 50);
    publish(1, "b", 50);

    // when
    List<CompletableFuture<Found>> asked =
        IntStream.range(0, 40)
            .mapToObj(i -> kafka.context().start(() -> pages.after("0", 1 + 2 * i, false)))
            .toList();

    // then
    assertThat(asked)
        .allSatisfy(
            answer -> assertThat(answer.get(30, TimeUnit.SECONDS)).isInstanceOf(Page.class));
    assertThat(((Page) asked.get(39).join()).events()).hasSize(79);
  }

  @Test
  void shouldFailInTimeWhenItIsClosed() {
    // given
    publish(0, "a", 1);
    KafkaEventPages closed = kafka.pages();
    kafka.await(closed::close);

    // when
    Future<Found> asked = closed.after("0", LIMIT, false);

    // then
    await().atMost(WITHIN).until(asked::isComplete);
    assertThat(asked.failed()).isTrue();
  }
}
