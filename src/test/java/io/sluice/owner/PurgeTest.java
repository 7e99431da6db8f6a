package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OwnerRequest.RequestKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldDeleteAnAnswerWhenNobodyCanWaitForItAnyMore() {
    // given
    long request = scene.ledger.request(RequestKind.REBUILD, OwnerScene.BUCKET).result();
    scene.ledger.answerRequests(List.of(request), "{}");
    scene.advance(OutboxRelays.KEEP_ANSWERED.minusSeconds(1));
    scene.owner.purgeOutbox();
    boolean keptAtFirst = scene.ledger.answer(request).result().isPresent();

    // when
    scene.advance(Duration.ofSeconds(2));
    scene.owner.purgeOutbox();

    // then
    assertThat(keptAtFirst).isTrue();
    assertThat(scene.ledger.answer(request).result()).isEmpty();
  }

  @Test
  void shouldDeleteNoRowThatWasSentLately() {
    // when
    scene.owner.purgeOutbox();

    // then
    assertThat(scene.calls.of("purge"))
        .extracting(call -> call[1])
        .containsExactly(scene.clock.millis() - OutboxRelays.KEEP_SENT.toMillis());
  }
}
