package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaTopics.TopicsSeen;
import io.sluice.testkit.register.Raises;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BrokerHealthTest {
  private static final TopicInfo EXPECTED = new TopicInfo("id-1", 4, 0, List.of());
  private static final Throwable CAUSE = new LogUnavailableException("no ack");

  private final List<TopicInfo> foreign = new ArrayList<>();
  private Promise<Optional<TopicsSeen>> looked = Promise.promise();
  private final BrokerHealth unit = new BrokerHealth(() -> looked.future(), EXPECTED, foreign::add);

  @Test
  void shouldBeDownWhenAppendsFailInAllPartitionsAndUpWhenOneIsAcknowledged() {
    // given
    unit.failed(0, unit.begin(), CAUSE);
    unit.failed(1, unit.begin(), CAUSE);
    unit.failed(2, unit.begin(), CAUSE);
    boolean whileOneIsLeft = unit.isUp();

    // when
    unit.failed(3, unit.begin(), CAUSE);
    boolean afterFailures = unit.isUp();
    unit.acked(1, unit.begin());

    // then
    assertThat(whileOneIsLeft).isTrue();
    assertThat(afterFailures).isFalse();
    assertThat(unit.isUp()).isTrue();
    assertThat(unit.out()).containsExactly(0, 2, 3);
  }

  @Test
  void shouldStopOnlyThePartitionThatHasNoLeader() {
    // when
    answer(new TopicsSeen(EXPECTED, Set.of(2), Set.of(), List.of("topic events is missing")));
    List<Integer> out = unit.out();
    boolean up = unit.isUp();
    List<Boolean> readable = List.of(unit.hasLeader(1), unit.hasLeader(2));
    answer(new TopicsSeen(EXPECTED, Set.of(), Set.of(), List.of()));

    // then
    assertThat(out).containsExactly(2);
    assertThat(up).isTrue();
    assertThat(readable).containsExactly(true, false);
    assertThat(unit.hasLeader(2)).isTrue();
    assertThat(unit.out()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void shouldStopThePartitionsWithoutALeaderOrReplicasInSync(
      Set<Integer> leaderless, Set<Integer> unsafe, List<Integer> out) {
    // when
    answer(new TopicsSeen(EXPECTED, leaderless, unsafe, List.of()));

    // then
    assertThat(unit.out()).isEqualTo(out);
    assertThat(unit.isUp()).isEqualTo(out.size() < 4);
  }

  static Stream<Arguments> shouldStopThePartitionsWithoutALeaderOrReplicasInSync() {
    return Stream.of(
        arguments(Set.of(), Set.of(1), List.of(1)),
        arguments(Set.of(0, 1, 2, 3), Set.of(), List.of(0, 1, 2, 3)));
  }

  @Test
  void shouldTryOnlyOtherPartitionsWhenAnAppendFails() {
    // given
    unit.failed(1, unit.begin(), CAUSE);
    boolean failing = unit.takes(1);
    boolean other = unit.takes(2);

    // when
    unit.probe();
    looked.complete(Optional.of(whole(EXPECTED)));

    // then
    assertThat(failing).isFalse();
    assertThat(other).isTrue();
    assertThat(unit.takes(1)).isTrue();
  }

  @Test
  void shouldTryNoPartitionWhenTheBrokerDoesNotAnswer() {
    // when
    unit.probe();
    looked.fail("no broker");

    // then
    assertThat(unit.takes(0)).isFalse();
  }

  @Test
  void shouldStayUpWhenTheFailureIsOlderThanTheLastAck() {
    // given
    long old = unit.begin();
    unit.acked(1, unit.begin());

    // when
    unit.failed(1, old, CAUSE);

    // then
    assertThat(unit.takes(1)).isTrue();
  }

  @Test
  void shouldNotTryThePartitionWhenOnlyAnotherPartitionAcknowledges() {
    // given
    unit.failed(1, unit.begin(), CAUSE);

    // when
    unit.acked(2, unit.begin());

    // then
    assertThat(unit.out()).containsExactly(1);
  }

  @Test
  void shouldBeUpAgainWhenTheBrokerAnswersAndNothingFailedMeanwhile() {
    // given
    unit.failed(1, unit.begin(), CAUSE);

    // when
    answer(whole(EXPECTED));

    // then
    assertThat(unit.out()).isEmpty();
  }

  @Test
  void shouldStayDownWhenAnAppendFailsDuringTheProbe() {
    // given
    Future<Void> probe = unit.probe();
    unit.failed(1, unit.begin(), CAUSE);

    // when
    looked.complete(Optional.of(whole(EXPECTED)));

    // then
    assertThat(probe.succeeded()).isTrue();
    assertThat(unit.out()).containsExactly(1);
  }

  @Test
  void shouldBeDownWhenTheProbeFailsOrFindsNoTopic() {
    // when
    Future<Void> probe = unit.probe();
    looked.fail("away");
    boolean whenAway = unit.isUp();
    answer(whole(EXPECTED));
    boolean whenBack = unit.isUp();
    answer(null);

    // then
    assertThat(probe.succeeded()).isTrue();
    assertThat(whenAway).isFalse();
    assertThat(whenBack).isTrue();
    assertThat(unit.isUp()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"id-2, 4", "id-1, 3"})
  void shouldTellOnceWhenTheTopicOrThePartitionCountIsAnother(String id, int partitions) {
    // given
    TopicInfo anew = new TopicInfo(id, partitions, 0, List.of());

    // when
    answer(whole(anew));
    answer(whole(anew));

    // then
    assertThat(foreign).containsExactly(anew);
    assertThat(unit.isUp()).isFalse();
  }

  /** Kafka cannot take them back, so each restart would end as well. */
  @Test
  @Raises(Alarm.MORE_PARTITIONS)
  void shouldGoOnWithOneAlarmWhenPartitionsAreAdded() {
    // given
    long before = Alarm.MORE_PARTITIONS.raised();

    // when
    answer(whole(new TopicInfo("id-1", 4, 2, List.of())));
    answer(whole(new TopicInfo("id-1", 4, 2, List.of())));

    // then
    assertThat(foreign).isEmpty();
    assertThat(unit.isUp()).isTrue();
    assertThat(Alarm.MORE_PARTITIONS.raised() - before).isEqualTo(1);
  }

  private static TopicsSeen whole(TopicInfo info) {
    return new TopicsSeen(info, Set.of(), Set.of(), List.of());
  }

  private void answer(@Nullable TopicsSeen seen) {
    looked = Promise.promise();
    unit.probe();
    looked.complete(Optional.ofNullable(seen));
  }
}
