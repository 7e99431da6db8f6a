package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Poll;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.testkit.ManualClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Waiting for the owners' reports; only the pauses between two polls move the clock. */
class PartitionOperationsTest {
  private static final int SLOWNESS = 20;

  private final ManualClock clock = new ManualClock();
  private final Instant begun = clock.instant();
  private final InMemoryLedger ledger = new InMemoryLedger(2, clock);
  private final PartitionOperations unit =
      new PartitionOperations(
          new Partitions(
              2,
              ledger,
              partition -> Future.succeededFuture(0L),
              partition -> Future.succeededFuture(0L)),
          ledger,
          new Poll(
              pause -> {
                clock.advance(pause.multipliedBy(SLOWNESS));
                ledger
                    .openRequests(List.of(1), 0, 10)
                    .result()
                    .forEach(open -> ledger.answerRequests(List.of(open.id()), "{}"));
                return Future.succeededFuture();
              },
              () -> 1_000_000 * clock.millis()));

  @Test
  void shouldNotWaitForEverWhenAnOwnerIsSilent() {
    // when
    Map<Integer, Optional<String>> reports = unit.reconcile().result();

    // then
    assertThat(reports).isEqualTo(Map.of(0, Optional.empty(), 1, Optional.of("{}")));
    assertThat(Duration.between(begun, clock.instant()))
        .isEqualTo(PartitionOperations.REPORTED_WITHIN);
  }
}
