package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.InMemoryEvents.Published;
import io.sluice.testkit.process.LogWatch;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Commands that the ledger cannot store, or that this build cannot read. */
class UnbookableTest {
  private static final LedgerUnavailableException AWAY =
      new LedgerUnavailableException("away", null);

  private final OwnerScene scene = OwnerScene.withStock(100);

  @Test
  void shouldDeadLetterTheOneCommandThatTheLedgerCannotStore() {
    // given
    scene.placed("alice", 1);
    Grant poison = scene.placed("bob", 1);
    scene.placed("carol", 1);
    scene.calls.refuse(new Command.Reserve(poison, null));

    // when
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(scene.isBooked("bob")).isFalse();
    assertThat(scene.isBooked("carol")).isTrue();
    assertThat(scene.events.letters())
        .extracting(Published::event)
        .extracting(Event::payload)
        .singleElement()
        .asString()
        .contains(poison.token().value(), "Expected what the ledger can store", "too long");
  }

  /** Redis still has its grant, which must not be brought again for each command. */
  @Test
  void shouldPassTheCommandsOfAnOrderThatTheLedgerCannotStore() {
    // given
    Grant poison = scene.placed("bob", 1);
    scene.calls.refuse(new Command.Reserve(poison, null));
    scene.work();

    // when
    scene.append(new Command.Confirm(poison.token()));
    scene.placed("carol", 1);
    scene.work();

    // then
    assertThat(scene.isBooked("bob")).isFalse();
    assertThat(scene.isBooked("carol")).isTrue();
  }

  @Test
  void shouldLookForNoPoisonWhenTheLedgerIsAway() {
    // given
    scene.placed("alice", 1);
    scene.calls.fail("apply", AWAY);

    // when
    scene.work();

    // then
    assertThat(scene.calls.of("rehearse")).isEmpty();
  }

  @Test
  void shouldWaitAndSaySoWhenARecordIsOfANewerVersion() {
    // given
    scene.append(new Command.Confirm(scene.token("nobody")));
    scene.log.appendRaw(
        OwnerScene.PARTITION, "{\"v\":99,\"c\":[]}".getBytes(StandardCharsets.UTF_8));
    scene.placed("alice", 1);

    // when
    try (LogWatch logs = LogWatch.of(Booking.class)) {
      scene.work();

      // then
      assertThat(logs.lines()).last().asString().contains("finish the upgrade", "offset=\"1\"");
    }
    assertThat(scene.isBooked("alice")).isFalse();
    assertThat(scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset()).isEqualTo(1);
  }

  @Test
  void shouldSayNothingWhenAllIsBooked() {
    // given
    scene.placed("alice", 1);

    // when
    try (LogWatch logs = LogWatch.of(Booking.class)) {
      scene.work();

      // then
      assertThat(logs.lines()).isEmpty();
    }
  }
}
