package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.LoopContext;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.Commands;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a record of the log, each line of a cart counts as a command does. */
class LogBatcherCartsTest {
  private static final Duration APPEND_MAX = Duration.ofSeconds(2);
  private static final int COMMANDS_MAX = 4;

  /** As the comment of {@link LogBatcher#RECORD_COMMANDS_MAX} says. */
  private static final int LINE_BYTES_MAX = 832;

  private static final int RECORD_BYTES_MAX = 256 * 1024;

  private static final Command CONFIRM = Commands.confirm("ann");

  private final ScriptedLog log = new ScriptedLog();
  private final ManualLoop time = new ManualLoop();
  private final List<Integer> sizes = new ArrayList<>();
  private final LogBatcher unit = lanesIn(time.loop(), COMMANDS_MAX);

  @Test
  void shouldFillARecordWithTheLinesOfCarts() {
    // given
    fill();

    // when
    unit.append(0, List.of(cart("bob", 2)));
    int early = log.appends.size();
    unit.append(0, List.of(cart("cora", 2)));
    unit.append(0, List.of(cart("dave", 2)));

    // then
    assertThat(early).isEqualTo(LogBatcher.RECORDS_MAX);
    assertThat(log.appends).hasSize(LogBatcher.RECORDS_MAX + 1);
    assertThat(log.last().commands()).containsExactly(cart("bob", 2), cart("cora", 2));
  }

  @Test
  void shouldLeaveACartToTheNextRecordWhenItsLinesDoNotFit() {
    // given
    fill();
    unit.append(0, List.of(cart("bob", 2)));
    unit.append(0, List.of(cart("cora", 3)));
    List<Command> before = log.last().commands();

    // when
    log.ackAll();

    // then
    assertThat(before).containsExactly(cart("bob", 2));
    assertThat(log.last().commands()).containsExactly(cart("cora", 3));
    assertThat(log.appends).hasSize(LogBatcher.RECORDS_MAX + 2);
  }

  @Test
  void shouldAppendACartAloneWhenItHasMoreLinesThanARecordHas() {
    // given
    fill();

    // when
    unit.append(0, List.of(CONFIRM));
    Future<Long> large = unit.append(0, List.of(cart("bob", Limits.CART_LINES_MAX)));
    unit.append(0, List.of(CONFIRM));
    log.ack(9);

    // then
    assertThat(log.appends.get(LogBatcher.RECORDS_MAX).commands()).containsExactly(CONFIRM);
    assertThat(log.appends.get(LogBatcher.RECORDS_MAX + 1).commands())
        .containsExactly(cart("bob", Limits.CART_LINES_MAX));
    assertThat(large.result()).isEqualTo(9);
    assertThat(log.appends).hasSize(LogBatcher.RECORDS_MAX + 2);
  }

  /** Its caller learns of one offset. */
  @Test
  void shouldNotTearWhatIsAppendedTogether() {
    // given
    fill();
    List<Command> together = List.of(cart("bob", 2), cart("cora", 3), cart("dave", 2));

    // when
    Future<Long> append = unit.append(0, together);
    log.ack(9);

    // then
    assertThat(log.last().commands()).isEqualTo(together);
    assertThat(append.result()).isEqualTo(9);
  }

  @Test
  void shouldHaveNoRoomWhenTheLinesThatWaitTakeIt() {
    // given
    List<Runnable> nextTurn = new ArrayList<>();
    LogBatcher lanes =
        lanesIn(new LoopContext(time::now, time.loop().timers(), nextTurn::add), COMMANDS_MAX);
    lanes.append(0, List.of(cart("bob", COMMANDS_MAX)));
    boolean before = lanes.room(0).isComplete();

    // when
    lanes.append(0, List.of(cart("cora", COMMANDS_MAX)));

    // then
    assertThat(before).isTrue();
    assertThat(lanes.room(0).isComplete()).isFalse();
  }

  /** The backlog is one of orders. */
  @Test
  void shouldTellOfOneCommandWhenACartIsAppended() {
    // when
    unit.append(0, List.of(cart("bob", 3)));

    // then
    assertThat(sizes).containsExactly(1);
  }

  /** The orders of one line are those with most bytes a line. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, Limits.CART_LINES_MAX})
  void shouldStayFarBelowTheLimitOfTheBrokersWhenEachFieldIsAsLongAsItMayBe(int lines) {
    // given
    LogBatcher lanes = lanesIn(time.loop(), LogBatcher.RECORD_COMMANDS_MAX);
    List<Command> widest = Collections.nCopies(300, widest(lines));

    // when
    widest.forEach(command -> lanes.append(0, List.of(command)));
    log.ackAll();

    // then
    assertThat(sizes).contains(LogBatcher.RECORD_COMMANDS_MAX / lines);
    assertThat(log.appends.stream().mapToInt(append -> append.commands().size()).sum())
        .isEqualTo(300);
    assertThat(log.appends)
        .allSatisfy(
            append -> {
              int linesOfRecord = append.commands().size() * lines;
              assertThat(linesOfRecord).isLessThanOrEqualTo(LogBatcher.RECORD_COMMANDS_MAX);
              assertThat(bytesOf(append.commands()))
                  .isLessThanOrEqualTo(linesOfRecord * LINE_BYTES_MAX);
            });
  }

  /** The grants of one reply of Redis are appended together, also those of more lines. */
  @Test
  void shouldStayFarBelowTheLimitOfTheBrokersWhenAReplyHasAsManyCartsAsItMayHave() {
    // given
    int lines = StockStore.CART_BUCKETS_MAX / StockStore.CARTS_MAX;
    LogBatcher lanes = lanesIn(time.loop(), LogBatcher.RECORD_COMMANDS_MAX);

    // when
    lanes.append(0, Collections.nCopies(StockStore.CARTS_MAX, widest(lines)));

    // then
    assertThat(log.last().commands()).hasSize(StockStore.CARTS_MAX);
    assertThat(bytesOf(log.last().commands())).isLessThanOrEqualTo(RECORD_BYTES_MAX);
  }

  private static int bytesOf(List<Command> commands) {
    return OrderLogCodec.encode(commands).length;
  }

  private void fill() {
    for (int i = 0; i < LogBatcher.RECORDS_MAX; i++) {
      unit.append(0, List.of(CONFIRM));
    }
  }

  private LogBatcher lanesIn(LoopContext loop, int commandsMax) {
    return new LogBatcher(log, commandsMax, sizes::add, loop, APPEND_MAX);
  }

  private static Command cart(String buyer, int lines) {
    return Commands.reserveCart(buyer, lines);
  }

  /** An order each of whose fields has as many characters as it can have in the log. */
  private static Command widest(int lines) {
    long max = Long.MAX_VALUE;
    List<Cart.Line> all =
        IntStream.range(0, lines)
            .mapToObj(i -> new BucketId(max - lines + i, Limits.BUCKETS_MAX - 1))
            .map(bucket -> new Cart.Line(bucket, Limits.QTY_MAX, max, max, max))
            .toList();
    BucketId lead = all.get(0).bucket();
    OrderToken token =
        new OrderToken(
            lead.skuId(),
            lead.bucket(),
            "%d.%d.%s".formatted(lead.skuId(), lead.bucket(), "a".repeat(22)));
    String buyer = "\"".repeat(Limits.USER_ID_MAX);
    long timeMs = 253_402_300_799_999L;
    String escaped = "\"".repeat(Limits.REFERENCE_MAX);
    Grant grant =
        lines == 1
            ? Grants.of(token, buyer, Limits.QTY_MAX, max, max, timeMs, timeMs, max, escaped)
            : Grants.ofLead(new Cart(all), token, buyer, timeMs, timeMs, escaped);
    String traceparent = "00-%s-%s-01".formatted("a".repeat(32), "b".repeat(16));
    return new Command.Reserve(grant, "r".repeat(Limits.RUN_LENGTH), traceparent);
  }
}
