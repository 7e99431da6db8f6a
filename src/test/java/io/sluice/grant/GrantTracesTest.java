package io.sluice.grant;

import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.sluice.tracing.RecordedTraces;
import io.sluice.tracing.Span;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantTracesTest extends CartPlacingScene {
  private final RecordedTraces all = traces;

  /** What the span of a batch says of where it went, by the number of SKUs. */
  private static final Map<Integer, Object> BATCH = Map.of(1, "1001:0", 2, (long) PARTITION);

  private final RecordedTraces none = RecordedTraces.ofNone();

  private static Desk desk(RecordedTraces traces) {
    return new Desk(1, 0, false, traces);
  }

  private static Command.Reserve recorded(Desk desk, int index) {
    return (Command.Reserve) desk.log.last().commands().get(index);
  }

  GrantTracesTest() {
    super(RecordedTraces.ofAll());
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldTraceAGrantThroughRedisToItsRecord(int skus) {
    // given
    place("alice", skus);
    TraceContext order = TraceContext.ofOrder(last().only().token());

    // when
    last().grantAll();
    unit.log.ackAll();

    // then
    Span reserve = all.only("redis reserve");
    Span append = all.only("order log append");
    assertThat(reserve.context().traceId()).isEqualTo(order.traceId());
    assertThat(reserve.parentSpanId()).isEqualTo(order.spanId());
    assertThat(append.parentSpanId()).isEqualTo(order.spanId());
    assertThat(recorded(unit, 0).trace()).isEqualTo(append.context().text());
    assertThat(all.attributes("redis reserve batch"))
        .containsEntry(skus == 1 ? "sluice.bucket" : "sluice.partition", BATCH.get(skus))
        .containsEntry("sluice.batch_size", 1L);
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldRecordNothingWhenRedisRefuses(int skus) {
    // given
    place("alice", skus);

    // when
    last().refuseAll(Refusal.NOT_OPEN, skus - 1);

    // then
    assertThat(all.spans()).isEmpty();
  }

  @Test
  void shouldRecordNothingWhenSomeLinesAreRecorded() {
    // given
    place("alice");

    // when
    last().reply(0, cart -> new GrantOutcome.Torn());

    // then
    assertThat(all.spans()).isEmpty();
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldRecordTheBatchAndNameTheOrderWhenRedisFails(int skus) {
    // given
    Future<PlacedOrder> answer = place("alice", skus);
    TraceContext order = TraceContext.ofOrder(last().only().token());

    // when
    last().fail();

    // then
    assertThat(all.only("redis reserve batch").error()).contains("connection closed");
    assertThat(all.only("redis reserve").context().traceId()).isEqualTo(order.traceId());
    assertThat(refused(answer).token()).isEqualTo(last().only().token());
  }

  @Test
  void shouldRecordNothingWhenTheTokenIsNotChosen() {
    // given
    Desk desk = desk(none);
    desk.place("alice");

    // when
    desk.stock.last().grantAll();
    desk.log.ackAll();

    // then
    assertThat(none.spans()).isEmpty();
    assertThat(recorded(desk, 0).trace()).isNull();
  }

  @Test
  void shouldTraceTheOrderOfWhoAskedAndNoOtherOfItsBatch() {
    // given
    Desk desk = desk(none);
    desk.place("first");
    desk.place("bob");
    desk.reservations.place(
        new OrderWish("alice", List.of(new OrderWish.Line(Desk.SKU, 1)), null, null, true),
        SkuEntry.OPEN);
    desk.stock.last().grantAll();

    // when
    desk.stock.last().grantAll();
    desk.log.ackAll();

    // then
    OrderToken token = desk.token("alice");
    assertThat(none.only("redis reserve").context().traceId())
        .isEqualTo(TraceContext.ofOrder(token).traceId());
    assertThat(none.attributes("redis reserve batch")).containsEntry("sluice.batch_size", 2L);
    assertThat(desk.log.appends.stream().flatMap(append -> append.commands().stream()))
        .filteredOn(command -> ((Command.Reserve) command).trace() != null)
        .extracting(Command::token)
        .containsExactly(token);
  }

  @Test
  void shouldRecordTheBatchAndLinkTheOrderWhenRedisFailsAndTheTokenIsNotChosen() {
    // given
    Desk desk = desk(none);
    desk.place("alice");

    // when
    desk.stock.last().fail();

    // then
    Span failed = none.only("redis reserve batch");
    assertThat(failed.error()).contains("connection closed");
    assertThat(failed.links()).containsExactly(TraceContext.ofOrder(desk.token("alice")));
  }

  @Test
  void shouldMarkTheSpansWhenTheLogFails() {
    // given
    Desk desk = desk(all);
    desk.place("alice");
    desk.stock.last().grantAll();

    // when
    desk.log.last().ack().fail("no broker");

    // then
    assertThat(all.only("order log append").error()).contains("no broker");
    assertThat(all.only("order log append batch").error()).contains("no broker");
  }

  @Test
  void shouldTraceABookingPastTheLogWhenItIsAway() {
    // given
    Desk desk = new Desk(1, 100, true, all);
    desk.log.away = true;
    desk.place("alice");

    desk.stock.last().grantAll();

    // when
    desk.ledger.bookings.get(0).outcome().fail("the ledger is away");

    // then
    assertThat(all.only("ledger book directly").error()).contains("not known to be booked: 1");
    assertThat(all.names()).contains("ledger book directly", "ledger book directly batch");
  }
}
