package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.orderlog.kafka.RecordGathering.Together;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When records go, and which items share one. Items are texts, a byte for each character. */
class RecordGatheringTest {
  private static final long PAUSE = RecordGathering.PAUSE.toNanos();
  private static final int ENOUGH = RecordGathering.ENOUGH;
  private static final int BYTES_MAX = 4;

  /** A monotonic clock may overflow between two readings. */
  private long now = Long.MAX_VALUE - PAUSE / 2;

  private final RecordGathering<String> unit =
      new RecordGathering<>(String::length, BYTES_MAX, now);

  @Test
  void shouldGoAtOnceWhenNothingWasHandedOverLately() {
    // when
    unit.add(1, "a", 1);

    // then
    assertThat(unit.restNanos(now)).isZero();
    assertThat(unit.take(now)).containsExactly(new Together<>(1, List.of("a")));
  }

  @Test
  void shouldMakeARecordOfEachWhenNoneAreJoined() {
    // given
    RecordGathering<String> apart = new RecordGathering<>(String::length, 0, now);

    // when
    List.of("", "", "a").forEach(each -> apart.add(1, each, 1));

    // then
    assertThat(apart.take(now).stream().map(Together::items))
        .containsExactly(List.of(""), List.of(""), List.of("a"));
  }

  @Test
  void shouldWaitForOthersWhenSomethingWasJustHandedOver() {
    // given
    hand(1, "a", 1);
    now += PAUSE / 4;

    // when
    unit.add(2, "b", 1);
    List<Together<String>> early = unit.take(now);
    long rest = unit.restNanos(now);
    now += rest;
    unit.add(3, "c", 1);

    // then
    assertThat(early).isEmpty();
    assertThat(rest).isEqualTo(PAUSE - PAUSE / 4);
    assertThat(unit.take(now))
        .containsExactlyInAnyOrder(
            new Together<>(2, List.of("b")), new Together<>(3, List.of("c")));
  }

  @Test
  void shouldNotWaitLongerWhenMoreComesMeanwhile() {
    // given
    hand(1, "a", 1);
    unit.add(2, "b", 1);
    now += PAUSE - 1;

    // when
    unit.add(2, "c", 1);

    // then
    assertThat(unit.restNanos(now)).isEqualTo(1);
  }

  @Test
  void shouldGoAtOnceWhenEnoughCommandsWait() {
    // given
    hand(1, "a", 1);
    unit.add(2, "b", ENOUGH - 2);
    unit.add(3, "c", 1);
    List<Together<String>> early = unit.take(now);

    // when
    unit.add(3, "d", 1);

    // then
    assertThat(early).isEmpty();
    assertThat(unit.restNanos(now)).isZero();
    assertThat(unit.take(now))
        .containsExactlyInAnyOrder(
            new Together<>(2, List.of("b")), new Together<>(3, List.of("c", "d")));
  }

  @Test
  void shouldWaitForAnAckWhenAsManyRecordsOfThePartitionAreInFlightAsMayBe() {
    // given
    fill(1);
    unit.add(1, "x", ENOUGH);
    now += 10 * PAUSE;
    long before = unit.restNanos(now);
    List<Together<String>> early = unit.take(now);

    // when
    unit.answered(1);

    // then
    assertThat(before).isEqualTo(RecordGathering.UNTIL_ACK);
    assertThat(early).isEmpty();
    assertThat(unit.take(now)).containsExactly(new Together<>(1, List.of("x")));
  }

  /** The later one of the two decides. */
  @Test
  void shouldStillWaitForOthersWhenTheAckComesSoon() {
    // given
    fill(1);
    unit.add(1, "x", 1);
    now += PAUSE / 2;

    // when
    unit.answered(1);

    // then
    assertThat(unit.restNanos(now)).isEqualTo(PAUSE - PAUSE / 2);
  }

  @Test
  void shouldPrepareTheNextRequestWhenOneRecordOfThePartitionIsInFlight() {
    // given
    hand(1, "a", 1);
    unit.add(1, "b", 1);
    now += PAUSE;

    // when
    List<Together<String>> taken = unit.take(now);

    // then
    assertThat(taken).containsExactly(new Together<>(1, List.of("b")));
  }

  /** Its broker may be away, while those of the others are not. */
  @Test
  void shouldNotDelayAPartitionWhenAnotherOneWaitsForItsAcks() {
    // given
    fill(1);
    unit.add(1, "x", ENOUGH);
    now += PAUSE;

    // when
    unit.add(2, "b", 1);

    // then
    assertThat(unit.take(now)).containsExactly(new Together<>(2, List.of("b")));
  }

  @Test
  void shouldNotGoAtOnceWhenThoseWaitForAcksThatWouldMakeItEnough() {
    // given
    fill(1);
    unit.add(1, "x", ENOUGH);

    // when
    unit.add(2, "b", 1);

    // then
    assertThat(unit.restNanos(now)).isEqualTo(PAUSE);
  }

  @Test
  void shouldCutARecordWhereItWouldBecomeTooLong() {
    // given
    hand(2, "a", 1);
    for (String item : List.of("aa", "bb", "c", "dddddd", "e", "f")) {
      unit.add(1, item, 1);
    }
    now += PAUSE;

    // when
    List<Together<String>> records = unit.take(now);

    // then
    assertThat(records)
        .extracting(Together::items)
        .containsExactly(List.of("aa", "bb"), List.of("c"), List.of("dddddd"), List.of("e", "f"));
    unit.add(1, "x", ENOUGH);
    unit.answered(1);
    unit.answered(1);
    assertThat(unit.restNanos(now))
        .as("two of four are in flight")
        .isEqualTo(RecordGathering.UNTIL_ACK);
    unit.answered(1);
    assertThat(unit.restNanos(now)).isZero();
  }

  @Test
  void shouldDropWhatWaitsForAPartitionAndNothingElse() {
    // given
    fill(1);
    unit.add(1, "x", ENOUGH);
    unit.add(2, "b", 1);
    now += PAUSE;

    // when
    unit.answered(1);
    List<String> dropped = unit.drop(1);

    // then
    assertThat(dropped).containsExactly("x");
    assertThat(unit.take(now)).containsExactly(new Together<>(2, List.of("b")));
    assertThat(unit.restNanos(now)).isEqualTo(RecordGathering.UNTIL_ACK);
  }

  @Test
  void shouldDropWhatWaitsWhenTheLastOfSeveralRecordsFails() {
    // given
    fill(1);
    unit.add(1, "x", ENOUGH);

    // when
    List<String> dropped = unit.drop(1);
    unit.answered(1);

    // then
    assertThat(dropped).containsExactly("x");
    assertThat(unit.restNanos(now + PAUSE)).isEqualTo(RecordGathering.UNTIL_ACK);
  }

  @Test
  void shouldHaveRoomUntilARecordWouldWaitForAnAck() {
    // given
    boolean unused = unit.hasRoom(1);
    hand(1, "a", 1);
    boolean oneInFlight = unit.hasRoom(1);

    // when
    unit.add(1, "b", 1);

    // then
    assertThat(unused).isTrue();
    assertThat(oneInFlight).isTrue();
    assertThat(unit.hasRoom(1)).isFalse();
    assertThat(unit.hasRoom(2)).isTrue();
    unit.answered(1);
    assertThat(unit.hasRoom(1)).isTrue();
  }

  @Test
  void shouldRefuseAnAckOfAPartitionThatWasNeverUsed() {
    assertThatThrownBy(() -> unit.answered(7)).isInstanceOf(IllegalStateException.class);
  }

  private void fill(int partition) {
    IntStream.range(0, RecordGathering.RECORDS_MAX).forEach(i -> hand(partition, "f" + i, ENOUGH));
  }

  private void hand(int partition, String item, int commands) {
    unit.add(partition, item, commands);
    assertThat(unit.take(now)).containsExactly(new Together<>(partition, List.of(item)));
  }
}
