package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReleaseRelayTest {
  private static final int MANY = 2 * ReleaseRelay.RELEASES_PER_CALL + 1;

  private final OwnerScene scene = OwnerScene.withStock(MANY);
  private long seq;

  @Test
  void shouldReleaseAllHoweverManyPagesTheyAre() {
    // given
    end(MANY);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().available()).isEqualTo(MANY);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
  }

  @Test
  void shouldReleaseAllHoweverManyRowsTheyAre() {
    // given
    int rows = 2 * ReleaseRelay.ROWS_MAX + 1;
    for (int i = 0; i < rows; i++) {
      end(List.of(scene.grant("buyer" + i, 1)));
    }

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().available()).isEqualTo(MANY);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
    assertThat(scene.calls.of("pending"))
        .filteredOn(call -> call[1] == OutboxKind.RELEASE)
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void shouldPassOverRowsOfAShutBucketHoweverManyTheyAre() {
    // given
    BucketId shut = shut();
    for (int i = 0; i < ReleaseRelay.ROWS_MAX; i++) {
      end(List.of(absent(shut, "buyer" + i)));
    }
    end(List.of(scene.grant("alice", 1)));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().available()).isEqualTo(MANY);
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(ReleaseRelay.ROWS_MAX);
  }

  /** A shut bucket of a row keeps only its own entries pending. */
  @Test
  void shouldNotSendAgainWhatWasReleasedWhenAnotherBucketOfTheRowIsShut() {
    // given
    BucketId shut = shut();
    Grant left = absent(shut, "bob");
    end(List.of(scene.grant("alice", 1), left, scene.grant("carol", 1)));

    // when
    scene.owner.relayOutbox();
    scene.work();

    // then
    assertThat(scene.redis().available()).isEqualTo(MANY);
    assertThat(scene.pending(OutboxKind.RELEASE))
        .extracting(entry -> OutboxPayload.releaseOf(entry).token())
        .containsExactly(left.token());
    assertThat(scene.calls.of("release"))
        .filteredOn(call -> call[0].equals(OwnerScene.BUCKET))
        .hasSize(1);
    assertThat(scene.calls.of("keepRest")).hasSize(1);
  }

  @Test
  void shouldReleaseTheRestWhenTheBucketIsOpenAgain() {
    // given
    BucketId shut = shut();
    end(List.of(scene.grant("alice", 1), absent(shut, "bob")));
    scene.owner.relayOutbox();

    // when
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
    assertThat(scene.calls.of("release"))
        .extracting(call -> call[0])
        .filteredOn(shut::equals)
        .hasSize(2);
  }

  @Test
  void shouldKeepTheRestOnceWhenTheAnswerIsLost() {
    // given
    end(List.of(scene.grant("alice", 1), absent(shut(), "bob")));
    scene.calls.loseReply("keepRest", new LedgerUnavailableException("reply lost", null));

    // when
    scene.owner.relayOutbox();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(1);
    assertThat(scene.calls.of("keepRest")).hasSize(1);
  }

  @Test
  void shouldReplaceNothingWhenTheFenceIsAnothers() {
    // given
    end(List.of(scene.grant("alice", 1), absent(shut(), "bob")));
    scene.clock.advance(Duration.ofSeconds(1));
    scene.ledger.takeOver(OwnerScene.PARTITION, 0);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(2);
  }

  @Test
  void shouldCallRedisOnceForAsManyAsACallTakes() {
    // given
    end(ReleaseRelay.RELEASES_PER_CALL);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("release")).hasSize(1);
  }

  @Test
  void shouldReleaseNothingTwice() {
    // given
    end(1);
    scene.owner.relayOutbox();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("release")).hasSize(1);
  }

  @Test
  void shouldKeepWhatRedisDoesNotTakeNow() {
    // given
    end(2);
    scene.calls.answer("release", BucketCode.LOADING);
    scene.owner.relayOutbox();
    int meanwhile = scene.pending(OutboxKind.RELEASE).size();

    // when
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(meanwhile).isEqualTo(2);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
    assertThat(scene.calls.of("keepRest")).isEmpty();
    assertThat(scene.lost).isFalse();
  }

  @Test
  void shouldKeepAllWhenRedisIsAwayAndMarkNothing() {
    // given
    end(2);
    scene.calls.fail("release", new StockUnavailableException("away", null));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(2);
    assertThat(scene.calls.of("sent")).isEmpty();
  }

  @Test
  void shouldLearnFromRedisThatTheFenceIsAnothers() {
    // given
    end(1);
    scene.clock.advance(Duration.ofSeconds(1));
    long term = scene.ledger.takeOver(OwnerScene.PARTITION, 0).result().term();
    scene.stock.freeze(OwnerScene.BUCKET, term);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(1);
  }

  /** The fence is checked in the ledger only if Redis reports a stale term. */
  @Test
  void shouldNotDoubtItsFenceOtherwise() {
    // given
    end(1);
    scene.calls.answer("release", BucketCode.LOST);
    scene.calls.of("apply").clear();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("apply")).isEmpty();
  }

  /** A bucket whose releases Redis does not take. */
  private BucketId shut() {
    scene.addSku(1);
    BucketId shut = new BucketId(OwnerScene.BUCKET.skuId() + 1, 0);
    scene.calls.answerOf("release", shut::equals, Future.succeededFuture(BucketCode.LOADING));
    return shut;
  }

  /** A grant that Redis does not know. */
  private Grant absent(BucketId bucket, String user) {
    OrderToken token = new OrderTokens(new byte[16]).tokenFor(user, bucket, null);
    long nowMs = scene.clock.millis();
    long epoch = scene.ledger.bucket(bucket).result().orElseThrow().epoch();
    return Grants.of(token, user, 1, ++seq, epoch, nowMs, nowMs + 300_000);
  }

  private void end(int count) {
    end(IntStream.range(0, count).mapToObj(i -> scene.grant("buyer" + i, 1)).toList());
  }

  /** Ends orders by one commit that bypasses the owner, so that no pass is woken. */
  private void end(List<Grant> grants) {
    List<Command> commands = new ArrayList<>();
    for (Grant grant : grants) {
      commands.add(new Command.Reserve(grant, null));
      commands.add(new Command.Cancel(grant.token(), Reason.BUYER));
    }
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    Batches.apply(scene.ledger, Step.check(fence), commands);
    scene.events.usually(InMemoryEvents.Fate.REFUSED);
    scene.calls.of("sent").clear();
  }
}
