package io.sluice.orderlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrokerWatchTest {
  private static final TopicInfo EXPECTED = new TopicInfo("id-1", 4, List.of());
  private static final Throwable CAUSE = new LogUnavailableException("no ack");

  private final List<TopicInfo> foreign = new ArrayList<>();
  private Promise<Optional<TopicInfo>> looked = Promise.promise();
  private final BrokerWatch unit = new BrokerWatch(() -> looked.future(), EXPECTED, foreign::add);

  @BeforeEach
  void answerNothing() {
    looked = Promise.promise();
  }

  @Test
  void shouldBeDownWhenAnAppendFailsAndUpWhenALaterOneIsAcknowledged() {
    // given
    long first = unit.begin();
    long second = unit.begin();
    boolean before = unit.isUp();

    // when
    unit.failed(1, first, CAUSE);
    boolean afterFailure = unit.isUp();
    unit.acked(1, second);

    // then
    assertThat(before).isTrue();
    assertThat(afterFailure).isFalse();
    assertThat(unit.isUp()).isTrue();
  }

  @Test
  void shouldTryOnlyOtherPartitionsWhenAnAppendFails() {
    // given
    unit.failed(1, unit.begin(), CAUSE);
    boolean failing = unit.takes(1);
    boolean other = unit.takes(2);

    // when
    unit.probe();
    looked.complete(Optional.of(EXPECTED));

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
    assertThat(unit.isUp()).isTrue();
  }

  @Test
  void shouldStayDownWhenOnlyAnotherPartitionAcknowledges() {
    // given
    unit.failed(1, unit.begin(), CAUSE);

    // when
    unit.acked(2, unit.begin());

    // then
    assertThat(unit.isUp()).isFalse();
  }

  @Test
  void shouldBeUpAgainWhenTheBrokerAnswersAndNothingFailedMeanwhile() {
    // given
    unit.failed(1, unit.begin(), CAUSE);

    // when
    answer(Optional.of(EXPECTED));

    // then
    assertThat(unit.isUp()).isTrue();
  }

  @Test
  void shouldStayDownWhenAnAppendFailsDuringTheProbe() {
    // given
    Future<Void> probe = unit.probe();
    unit.failed(1, unit.begin(), CAUSE);

    // when
    looked.complete(Optional.of(EXPECTED));

    // then
    assertThat(probe.succeeded()).isTrue();
    assertThat(unit.isUp()).isFalse();
  }

  @Test
  void shouldBeDownWhenTheProbeFailsOrFindsNoTopic() {
    // when
    Future<Void> probe = unit.probe();
    looked.fail("away");
    boolean whenAway = unit.isUp();
    answer(Optional.of(EXPECTED));
    boolean whenBack = unit.isUp();
    answer(Optional.empty());

    // then
    assertThat(probe.succeeded()).isTrue();
    assertThat(whenAway).isFalse();
    assertThat(whenBack).isTrue();
    assertThat(unit.isUp()).isFalse();
  }

  @Test
  void shouldTellOnceWhenTheTopicIsAnother() {
    // given
    TopicInfo anew = new TopicInfo("id-2", 4, List.of());

    // when
    answer(Optional.of(anew));
    answer(Optional.of(anew));

    // then
    assertThat(foreign).containsExactly(anew);
    assertThat(unit.isUp()).isFalse();
  }

  @Test
  void shouldTellWhenThePartitionCountIsAnother() {
    // given
    TopicInfo grown = new TopicInfo("id-1", 5, List.of());

    // when
    answer(Optional.of(grown));

    // then
    assertThat(foreign).containsExactly(grown);
  }

  private void answer(Optional<TopicInfo> info) {
    looked = Promise.promise();
    unit.probe();
    looked.complete(info);
  }
}
