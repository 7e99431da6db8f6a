package io.sluice.owner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.orderlog.InMemoryEvents.Fate;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventRelayTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  /** The buyers of the orders whose events were published. */
  private List<String> published() {
    return scene.events.published().stream()
        .filter(one -> !one.event().type().equals("HEARTBEAT"))
        .map(one -> OutboxPayload.order(one.event().payload()).orElseThrow().userId())
        .toList();
  }

  @Test
  void shouldNotSendAgainWhatIsKnownToBeAcknowledged() {
    // given
    scene.events.next(Fate.CUT_SHORT);
    scene.placed("alice", 1);
    scene.placed("bob", 1);
    scene.placed("carol", 1);

    // when
    scene.work();
    scene.work();

    // then
    assertThat(published()).containsExactly("alice", "bob", "carol");
    assertThat(scene.pending(OutboxKind.EVENT)).isEmpty();
  }

  @Test
  void shouldMarkTheRowsThatAreDoneWhenAnotherOneFails() {
    // given
    scene.events.usually(Fate.REFUSED);
    scene.placed("alice", 1);
    scene.work();
    scene.placed("bob", 1);
    scene.work();
    scene.events.next(Fate.CUT_SHORT);

    // when
    scene.owner.relayOutbox();
    int left = scene.pending(OutboxKind.EVENT).size();
    scene.events.usually(Fate.ACKED);
    scene.takeOver();
    scene.work();

    // then
    assertThat(left).isEqualTo(1);
    assertThat(published()).containsExactly("alice", "bob");
  }

  @Test
  void shouldNotSendAgainWhatWasNotMarked() {
    // given
    scene.calls.fail("sent", new LedgerUnavailableException("away", null));
    scene.placed("alice", 1);
    scene.work();

    // when
    scene.calls.instead.clear();
    scene.work();

    // then
    assertThat(published()).containsExactly("alice");
    assertThat(scene.pending(OutboxKind.EVENT)).isEmpty();
  }

  @Test
  void shouldSendADeadLetterOnceWhenAnotherOneFails() {
    // given
    scene.events.next(Fate.CUT_SHORT);
    scene.log.appendRaw(OwnerScene.PARTITION, "no record".getBytes(UTF_8));
    scene.log.appendRaw(OwnerScene.PARTITION, "none either".getBytes(UTF_8));

    // when
    scene.work();
    scene.work();

    // then
    assertThat(scene.events.letters()).hasSize(2);
  }
}
