package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.orderlog.kafka.RecordGathering.Together;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When records go, and which items share one. Items are texts, a byte for each character. */
class RecordGatheringTest {
  private static final int BYTES_MAX = 4;

  private final RecordGathering<String> unit = new RecordGathering<>(String::length, BYTES_MAX);

  @Test
  void shouldGoAtOnceWhenNothingIsInFlight() {
    // given
    boolean before = unit.isReady();

    // when
    boolean goes = unit.add(1, "a");

    // then
    assertThat(goes).isTrue();
    assertThat(before).isFalse();
    assertThat(unit.isReady()).isTrue();
    assertThat(unit.take()).containsExactly(new Together<>(1, List.of("a")));
    assertThat(unit.isReady()).isFalse();
  }

  @Test
  void shouldMakeARecordOfEachWhenNoneAreJoined() {
    // given
    RecordGathering<String> apart = new RecordGathering<>(String::length, 0);

    // when
    List.of("", "", "a").forEach(each -> apart.add(1, each));

    // then
    assertThat(apart.take().stream().map(Together::items))
        .containsExactly(List.of(""), List.of(""), List.of("a"));
  }

  @Test
  void shouldMakeARecordOfEachPartition() {
    // given
    unit.add(2, "b");
    unit.add(3, "c");

    // when
    unit.add(2, "d");

    // then
    assertThat(unit.take())
        .containsExactlyInAnyOrder(
            new Together<>(2, List.of("b", "d")), new Together<>(3, List.of("c")));
  }

  @Test
  void shouldWaitForAnAckWhenAsManyRecordsOfThePartitionAreInFlightAsMayBe() {
    // given
    fill(1);
    boolean added = unit.add(1, "x");
    unit.add(1, "y");
    boolean before = unit.isReady();
    List<Together<String>> early = unit.take();

    // when
    boolean goes = unit.answered(1);

    // then
    assertThat(goes).isTrue();
    assertThat(added).isFalse();
    assertThat(before).isFalse();
    assertThat(early).isEmpty();
    assertThat(unit.isReady()).isTrue();
    assertThat(unit.take()).containsExactly(new Together<>(1, List.of("x", "y")));
  }

  @Test
  void shouldSayOfAnAckThatNothingWaitedForIt() {
    // given
    hand(1, "a");
    hand(2, "b");
    unit.add(1, "x");

    // when
    boolean goes = unit.answered(1);

    // then
    assertThat(goes).as("it could go before").isFalse();
    assertThat(unit.answered(2)).as("nothing waits").isFalse();
    assertThat(unit.isReady()).isTrue();
  }

  @Test
  void shouldPrepareTheNextRequestWhenOneRecordOfThePartitionIsInFlight() {
    // given
    hand(1, "a");

    // when
    unit.add(1, "b");

    // then
    assertThat(unit.take()).containsExactly(new Together<>(1, List.of("b")));
  }

  /** Its broker may be away, while those of the others are not. */
  @Test
  void shouldNotDelayAPartitionWhenAnotherOneWaitsForItsAcks() {
    // given
    fill(1);
    unit.add(1, "x");

    // when
    unit.add(2, "b");

    // then
    assertThat(unit.isReady()).isTrue();
    assertThat(unit.take()).containsExactly(new Together<>(2, List.of("b")));
  }

  @Test
  void shouldCutARecordWhereItWouldBecomeTooLong() {
    // given
    for (String item : List.of("aa", "bb", "c", "dddddd", "e", "f")) {
      unit.add(1, item);
    }

    // when
    List<Together<String>> records = unit.take();

    // then
    assertThat(records)
        .extracting(Together::items)
        .containsExactly(List.of("aa", "bb"), List.of("c"), List.of("dddddd"), List.of("e", "f"));
    unit.add(1, "x");
    unit.answered(1);
    unit.answered(1);
    assertThat(unit.isReady()).as("two of four are in flight").isFalse();
    unit.answered(1);
    assertThat(unit.isReady()).isTrue();
  }

  @Test
  void shouldDropWhatWaitsForAPartitionAndNothingElse() {
    // given
    fill(1);
    unit.add(1, "x");
    unit.add(2, "b");

    // when
    unit.answered(1);
    List<String> dropped = unit.drop(1);

    // then
    assertThat(dropped).containsExactly("x");
    assertThat(unit.take()).containsExactly(new Together<>(2, List.of("b")));
    assertThat(unit.isReady()).isFalse();
  }

  @Test
  void shouldDropWhatWaitsWhenTheLastOfSeveralRecordsFails() {
    // given
    fill(1);
    unit.add(1, "x");

    // when
    List<String> dropped = unit.drop(1);
    unit.answered(1);

    // then
    assertThat(dropped).containsExactly("x");
    assertThat(unit.isReady()).isFalse();
  }

  @Test
  void shouldHaveRoomUntilARecordWouldWaitForAnAck() {
    // given
    boolean unused = unit.hasRoom(1);
    hand(1, "a");
    boolean oneInFlight = unit.hasRoom(1);

    // when
    unit.add(1, "b");

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
    IntStream.range(0, RecordGathering.RECORDS_MAX).forEach(i -> hand(partition, "f" + i));
  }

  private void hand(int partition, String item) {
    unit.add(partition, item);
    assertThat(unit.take()).containsExactly(new Together<>(partition, List.of(item)));
  }
}
