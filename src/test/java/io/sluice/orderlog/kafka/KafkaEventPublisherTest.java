package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.KafkaConfig;
import io.sluice.config.KafkaProperties;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher.PartlyPublishedException;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.kafka.BoundedProducer.Joining;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaEventPublisherTest {
  private static final int DELIVERY_TIMEOUT_MS = 5_000;
  private static final KafkaConfig CONFIG =
      new KafkaConfig(
          "unused:1",
          "orders",
          "events",
          1,
          1,
          "group",
          1_000,
          1_500,
          500,
          1_000,
          "busy",
          KafkaProperties.NONE);

  private static final EventSeal SEAL = KafkaFixture.seal(KafkaFixture.LEDGER);

  private final Vertx vertx = Vertx.vertx();
  private final OneContext context = new OneContext(vertx);

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldPublishAllInOrderWhenTheyAreMoreThanTheProducerTakesAtOnce() {
    // given
    GatedProducer raw = GatedProducer.open(true);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    List<Event> events = events(BoundedProducer.SENDS_MAX + 100);

    // when
    context.await(() -> unit.publish(0, events));

    // then
    assertThat(raw.history())
        .extracting(ProducerRecord::key)
        .containsExactlyElementsOf(events.stream().map(Event::key).toList());
  }

  @Test
  void shouldSendTheSpanOfATracedOrderAndNoHeaderOtherwise() {
    // given
    GatedProducer raw = GatedProducer.open(true);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    Event plain = new Event("T", "a", "{}");
    Event traced = new Event("T", "b", "{}").tracedAs("00-trace");

    // when
    context.await(() -> unit.publish(0, List.of(plain, traced)));

    // then
    assertThat(raw.history().get(0).headers().lastHeader("traceparent")).isNull();
    assertThat(raw.history().get(1).headers().lastHeader("traceparent").value())
        .isEqualTo("00-trace".getBytes(UTF_8));
  }

  @Test
  void shouldWaitForRoomWhenAnotherPartitionFillsTheProducer() throws Exception {
    // given
    GatedProducer raw = GatedProducer.open(false);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    List<Event> many = events(BoundedProducer.SENDS_MAX);
    CompletableFuture<Void> other = context.start(() -> unit.publish(0, many));
    raw.awaitSent(many.size());

    // when
    CompletableFuture<Void> published =
        context.start(() -> unit.publish(1, List.of(new Event("T", "late", "{}"))));
    IntStream.range(0, many.size()).forEach(i -> raw.completeNext());
    other.get(10, TimeUnit.SECONDS);
    raw.awaitSent(many.size() + 1);
    raw.completeNext();

    // then
    published.get(10, TimeUnit.SECONDS);
    assertThat(raw.history()).last().extracting(ProducerRecord::key).isEqualTo("late");
  }

  @Test
  void shouldFailInTimeWhenTheProducerStaysFull() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer brief = new BoundedProducer(vertx, raw, "events", 2_000, Joining.NONE);
    KafkaEventPublisher unit = unit(brief, GatedProducer.open(true));
    List<Event> many = events(BoundedProducer.SENDS_MAX);
    context.start(() -> unit.publish(0, many));
    raw.awaitSent(many.size());

    // when
    CompletableFuture<Void> published =
        context.start(() -> unit.publish(1, List.of(new Event("T", "late", "{}"))));

    // then
    ExecutionException failure = failure(published);
    assertThat(failure.getCause())
        .isInstanceOf(PartlyPublishedException.class)
        .hasMessageContaining("in flight");
  }

  @Test
  void shouldSendTheNextEventOfAnOrderOnlyWhenTheOneBeforeIsAcknowledged() throws Exception {
    // given
    GatedProducer raw = GatedProducer.open(false);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    List<Event> events =
        List.of(
            new Event("BOOKED", "order-1", "1"),
            new Event("CONFIRMED", "order-1", "2"),
            new Event("BOOKED", "order-2", "3"));

    // when
    CompletableFuture<Void> published = context.start(() -> unit.publish(0, events));
    raw.awaitSent(2);
    raw.completeNext();
    List<String> before = raw.sent();
    raw.completeNext();
    raw.awaitSent(3);
    raw.completeNext();
    published.get(10, TimeUnit.SECONDS);

    // then
    assertThat(before).containsExactly("1", "3");
    assertThat(raw.sent()).containsExactly("1", "3", "2");
  }

  @Test
  void shouldNotSendTheNextEventOfAnOrderWhenTheOneBeforeFails() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    List<Event> events =
        List.of(new Event("BOOKED", "order-1", "1"), new Event("CONFIRMED", "order-1", "2"));

    // when
    CompletableFuture<Void> published = context.start(() -> unit.publish(0, events));
    raw.awaitSent(1);
    raw.errorNext(new TimeoutException("expired"));
    ExecutionException failure = failure(published);

    // then
    assertThat(failure).hasCauseInstanceOf(LogUnavailableException.class);
    assertThat(raw.sent()).containsExactly("1");
  }

  @Test
  void shouldSayWhatIsAcknowledgedWhenAnotherOneFails() throws Exception {
    // given
    GatedProducer raw = GatedProducer.open(false);
    KafkaEventPublisher unit = unit(around(raw), GatedProducer.open(true));
    List<Event> events =
        List.of(
            new Event("BOOKED", "order-1", "1"),
            new Event("CONFIRMED", "order-1", "2"),
            new Event("BOOKED", "order-2", "3"),
            new Event("BOOKED", "order-3", "4"));

    // when
    CompletableFuture<Void> published = context.start(() -> unit.publish(0, events));
    raw.awaitSent(3);
    raw.completeNext();
    raw.errorNext(new TimeoutException("expired"));
    raw.completeNext();
    ExecutionException failure = failure(published);

    // then
    assertThat(failure).hasCauseInstanceOf(PartlyPublishedException.class);
    PartlyPublishedException partly = (PartlyPublishedException) failure.getCause();
    assertThat(IntStream.range(0, events.size()).filter(partly::isAcknowledged))
        .containsExactly(0, 3);
  }

  @Test
  void shouldSendDeadLettersPastAProducerOfEventsThatIsStuck() {
    // given
    GatedProducer letters = GatedProducer.open(true);
    GatedProducer stuck = GatedProducer.open(false);
    KafkaEventPublisher unit = unit(around(stuck), letters);
    Event letter = new Event("T", "key", "{}");

    // when
    context.await(() -> unit.deadLetter(0, List.of(letter)));

    // then
    assertThat(letters.history())
        .extracting(ProducerRecord::topic)
        .containsExactly(KafkaTopics.deadLetters(CONFIG));
    assertThat(stuck.history()).isEmpty();
  }

  private KafkaEventPublisher unit(BoundedProducer events, GatedProducer letters) {
    return new KafkaEventPublisher(events, around(letters), CONFIG, "instance-1", SEAL);
  }

  private static List<Event> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Event("T", "key-" + i, "{}")).toList();
  }

  private static ExecutionException failure(CompletableFuture<Void> published) {
    return catchThrowableOfType(
        ExecutionException.class, () -> published.get(10, TimeUnit.SECONDS));
  }

  private BoundedProducer around(GatedProducer raw) {
    return new BoundedProducer(vertx, raw, "events", DELIVERY_TIMEOUT_MS, Joining.NONE);
  }
}
