package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.owner.Booking.LogQueue;
import io.sluice.owner.Booking.LogQueue.Slice;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LogQueueTest {
  private static final OrderToken TOKEN =
      new OrderTokens(new byte[16]).tokenFor("alice", new BucketId(1001, 0), null);
  private static final Command GRANT =
      new Command.Reserve(Grants.of(TOKEN, "alice", 1, 1, 1, 0, 0), null);
  private static final Command PAYMENT = new Command.Confirm(TOKEN);
  private static final int ALL = 1_000;

  private final LogQueue unit = new LogQueue();

  @Test
  void shouldTakeWholeRecordsUntilThereAreEnoughCommands() {
    // given
    unit.add(entry(10, GRANT, GRANT));
    unit.add(entry(11, GRANT, PAYMENT, GRANT));
    unit.add(entry(12, PAYMENT));

    // when
    Slice first = unit.take(3);
    int left = unit.lines();
    Slice second = unit.take(3);

    // then
    assertThat(first.commands()).containsExactly(GRANT, GRANT, GRANT, PAYMENT, GRANT);
    assertThat(first.endOffset()).isEqualTo(12);
    assertThat(left).isEqualTo(1);
    assertThat(second.commands()).containsExactly(PAYMENT);
    assertThat(second.endOffset()).isEqualTo(13);
    assertThat(unit.lines()).isZero();
  }

  static Stream<Arguments> recordsOfInstances() {
    return Stream.of(
        arguments(List.of(PAYMENT), "here", "here", false),
        arguments(List.of(PAYMENT), "elsewhere", "here", true),
        arguments(List.of(GRANT, PAYMENT), "elsewhere", "here", true),
        arguments(List.of(GRANT), "elsewhere", "here", false),
        arguments(List.of(PAYMENT), null, "here", true),
        arguments(List.of(PAYMENT), "here", null, true),
        arguments(List.of(PAYMENT), null, null, true));
  }

  @ParameterizedTest
  @MethodSource("recordsOfInstances")
  void shouldSayIfACallerOfAnotherInstanceMayWait(
      List<Command> commands, @Nullable String from, @Nullable String here, boolean expected) {
    // given
    unit.add(new LogRecord(10, 0, true, List.of(PAYMENT), here));
    unit.add(new LogRecord(11, 0, true, commands, from));
    Slice slice = unit.take(ALL);

    // when
    boolean awaited = slice.isAwaitedElsewhere(here);

    // then
    assertThat(awaited).isEqualTo(expected);
  }

  /** So that a round of large carts takes no longer than one of single orders. */
  @Test
  void shouldCountACartByItsLines() {
    // given
    List<Cart.Line> lines =
        IntStream.range(0, 20)
            .mapToObj(number -> new Cart.Line(new BucketId(1001 + number, 0), 1, 1, 1, 0))
            .toList();
    Grant cart = Grants.ofLead(new Cart(lines), TOKEN, "alice", 0, 0, null);
    unit.add(entry(10, new Command.Reserve(cart, null)));
    unit.add(entry(11, GRANT));

    // when
    Slice first = unit.take(20);

    // then
    assertThat(first.lines()).isEqualTo(20);
    assertThat(first.endOffset()).isEqualTo(11);
    assertThat(unit.lines()).isEqualTo(1);
  }

  @Test
  void shouldTakeNoMoreRecordsWhenThereAreExactlyEnoughCommands() {
    // given
    unit.add(entry(10, GRANT, GRANT));
    unit.add(entry(11, GRANT));

    // when
    Slice taken = unit.take(2);

    // then
    assertThat(taken.endOffset()).isEqualTo(11);
  }

  @Test
  void shouldTakeNothingWhenNothingWaits() {
    // when
    Slice taken = unit.take(ALL);

    // then
    assertThat(taken).isNull();
    assertThat(unit.unsupportedHead()).isNull();
  }

  @Test
  void shouldStopBeforeARecordThatThisBuildCannotRead() {
    // given
    LogRecord newer = new LogRecord(11, 0, false, List.of());
    unit.add(entry(10, GRANT));
    unit.add(newer);
    unit.add(entry(12, GRANT));

    // when
    LogRecord headBefore = unit.unsupportedHead();
    Slice readable = unit.take(ALL);
    Slice none = unit.take(ALL);

    // then
    assertThat(headBefore).isNull();
    assertThat(readable.endOffset()).isEqualTo(11);
    assertThat(none).isNull();
    assertThat(unit.unsupportedHead()).isEqualTo(newer);
  }

  @Test
  void shouldTellWhenSomethingElseThanAGrantWaits() {
    // given
    unit.add(entry(10, GRANT, GRANT));
    boolean grantsOnly = unit.holdsMoreThanGrants();
    unit.add(entry(11, GRANT, PAYMENT));
    boolean withPayment = unit.holdsMoreThanGrants();

    // when
    Slice taken = unit.take(ALL);
    boolean afterwards = unit.holdsMoreThanGrants();
    unit.giveBack(taken, 0);

    // then
    assertThat(grantsOnly).isFalse();
    assertThat(withPayment).isTrue();
    assertThat(afterwards).isFalse();
    assertThat(unit.holdsMoreThanGrants()).isTrue();
  }

  /** Records from 10 on; how many are taken, where booking is then, and what is left. */
  static Stream<Arguments> slices() {
    Command[] one = {GRANT};
    Command[] two = {GRANT, GRANT};
    Command[] paid = {PAYMENT};
    return Stream.of(
        arguments("the same", List.of(one, paid, one), 2, 10, 3, true, List.of(10L, 11L, 12L)),
        arguments("part of it", List.of(paid, one, two), 2, 11, 3, false, List.of(11L, 12L)),
        arguments("less than is booked", List.of(one, paid, one), 1, 12, 1, false, List.of(12L)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("slices")
  void shouldGiveWhatIsNotBookedAgainWhenASliceWasPutBack(
      String what,
      List<Command[]> records,
      int most,
      long booked,
      int lines,
      boolean hasPayment,
      List<Long> left) {
    // given
    IntStream.range(0, records.size()).forEach(i -> unit.add(entry(10 + i, records.get(i))));
    Slice taken = unit.take(most);

    // when
    unit.giveBack(taken, booked);

    // then
    assertThat(unit.lines()).isEqualTo(lines);
    assertThat(unit.holdsMoreThanGrants()).isEqualTo(hasPayment);
    assertThat(offsets(unit.take(ALL))).isEqualTo(left);
  }

  @Test
  void shouldHoldNothingWhenAllOfItIsBooked() {
    // given
    unit.add(entry(10, GRANT));
    unit.add(entry(11, GRANT));
    Slice taken = unit.take(1);

    // when
    unit.giveBack(taken, 12);

    // then
    assertThat(unit.lines()).isZero();
    assertThat(unit.take(ALL)).isNull();
  }

  private static LogRecord entry(long offset, Command... commands) {
    return new LogRecord(offset, 0, true, Arrays.asList(commands));
  }

  private static List<Long> offsets(Slice slice) {
    return slice.records().stream().map(LogRecord::offset).toList();
  }
}
