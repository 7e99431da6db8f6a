package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.kafka.KafkaAdmin.EndOffsets;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndOffsetsTest {
  private static final TopicPartition ONE = new TopicPartition("orders", 1);
  private static final TopicPartition TWO = new TopicPartition("orders", 2);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final List<Set<TopicPartition>> requests = new CopyOnWriteArrayList<>();
  private final Map<TopicPartition, KafkaFutureImpl<ListOffsetsResultInfo>> answers =
      Map.of(ONE, new KafkaFutureImpl<>(), TWO, new KafkaFutureImpl<>());
  private final EndOffsets unit = new EndOffsets(this::list);

  @AfterEach
  void close() {
    vertx.close();
  }

  @Test
  void shouldAskOnceForAllPartitionsThatAreAskedForTogether() throws Exception {
    // given
    answers.get(ONE).complete(end(11));
    answers.get(TWO).complete(end(22));

    // when
    var asked = onOneTurn(() -> List.of(ask(ONE), ask(TWO), ask(ONE))).get(10, TimeUnit.SECONDS);

    // then
    assertThat(asked.get(0).get(10, TimeUnit.SECONDS)).isEqualTo(11);
    assertThat(asked.get(1).get(10, TimeUnit.SECONDS)).isEqualTo(22);
    assertThat(asked.get(2).get(10, TimeUnit.SECONDS)).isEqualTo(11);
    assertThat(requests).containsExactly(Set.of(ONE, TWO));
  }

  /** Kafka's client asks for a missing leader until its time is up. */
  @Test
  void shouldAnswerAPartitionWhileAnotherWaitsForItsLeader() throws Exception {
    // given
    answers.get(TWO).complete(end(22));

    // when
    var asked = onOneTurn(() -> List.of(ask(ONE), ask(TWO))).get(10, TimeUnit.SECONDS);

    // then
    assertThat(asked.get(1).get(10, TimeUnit.SECONDS)).isEqualTo(22);
    assertThat(asked.get(0)).isNotDone();
  }

  @Test
  void shouldAskAgainForWhoComesLater() throws Exception {
    // given
    answers.get(ONE).complete(end(11));
    ask(ONE).get(10, TimeUnit.SECONDS);

    // when
    ask(ONE).get(10, TimeUnit.SECONDS);

    // then
    assertThat(requests).hasSize(2);
  }

  private CompletableFuture<Long> ask(TopicPartition where) {
    return unit.of(where).toCompletionStage().toCompletableFuture();
  }

  private interface Asking {
    List<CompletableFuture<Long>> all();
  }

  /** On the event loop, so that its timer cannot fire in between. */
  private CompletableFuture<List<CompletableFuture<Long>>> onOneTurn(Asking asking) {
    CompletableFuture<List<CompletableFuture<Long>>> asked = new CompletableFuture<>();
    vertx.runOnContext(now -> asked.complete(asking.all()));
    return asked;
  }

  private ListOffsetsResult list(Map<TopicPartition, OffsetSpec> specs) {
    requests.add(Set.copyOf(specs.keySet()));
    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> asked = new HashMap<>(answers);
    asked.keySet().retainAll(specs.keySet());
    return new ListOffsetsResult(asked);
  }

  private static ListOffsetsResultInfo end(long offset) {
    return new ListOffsetsResultInfo(offset, 0, Optional.empty());
  }
}
