package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
import io.sluice.orderlog.TopicInfo;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is logged of a lost order log, and when. */
class FoundationCheckTest {
  private static final String INTENDED = "WARN adopting a new order log; ";
  private static final String DONE = "WARN a new order log is adopted; ";

  private final LogWatch log = LogWatch.of(Opening.class);
  private final FakeIdentity ledger = new FakeIdentity();
  private final Opening.Retry retry =
      new Opening.Retry(
          delay -> Future.succeededFuture(),
          (part, fault) -> {},
          IdentityMismatchException.class::isInstance);
  private final Opening.FoundationCheck unit =
      new Opening.FoundationCheck(ledger, new TopicInfo("new", 2, 0, List.of()), this::offsets);

  private Future<Map<Integer, Long>> offsets() {
    return Future.succeededFuture(Map.of(0, 0L, 1, 0L));
  }

  /** A ledger whose order log is lost. */
  private final class FakeIdentity extends MySqlLedgerIdentity {
    private Future<List<Fence>> adoptable =
        Future.succeededFuture(List.of(new Fence(0, 5, 70), new Fence(1, 6, 9)));

    /** Never completed where the instance is killed before it hears of its change. */
    private final Promise<List<Fence>> change = Promise.promise();

    /** The lines that were logged before the change was asked for. */
    private final List<String> toldBefore = new ArrayList<>();

    private boolean changed;

    FakeIdentity() {
      super(null);
    }

    @Override
    public Future<Void> orderLog(
        int partitions, String topicId, Supplier<Future<Map<Integer, Long>>> ends) {
      return Future.succeededFuture();
    }

    @Override
    public Future<List<Fence>> adoptable(int partitions, String topicId) {
      return adoptable;
    }

    @Override
    public Future<List<Fence>> adoptLog(int partitions, String topicId, Map<Integer, Long> ends) {
      toldBefore.addAll(log.lines());
      changed = true;
      return change.future();
    }

    @Override
    public Future<Void> group(String group) {
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void shouldNameWhatIsGivenUpBeforeTheChangeWhenItIsKilledRightAfterIt() {
    // when
    unit.agree(retry, "group", this::offsets);

    // then
    assertThat(ledger.changed).isTrue();
    assertThat(ledger.toldBefore)
        .hasSize(2)
        .allMatch(line -> line.startsWith(INTENDED) && line.contains("topicId=\"new\""));
    assertThat(ledger.toldBefore.get(0)).contains("partition=\"0\"", "unreadFrom=\"70\"");
    assertThat(ledger.toldBefore.get(1)).contains("partition=\"1\"", "unreadFrom=\"9\"");
    assertThat(log.lines()).isEqualTo(ledger.toldBefore);
  }

  @Test
  void shouldNameWhatWasGivenUpWhenItIsDone() {
    // given
    ledger.change.complete(List.of(new Fence(0, 5, 71)));

    // when
    Future<Void> agreed = unit.agree(retry, "group", this::offsets);

    // then
    assertThat(agreed.succeeded()).isTrue();
    assertThat(log.lines().subList(2, 3))
        .allMatch(line -> line.startsWith(DONE) && line.contains("unreadFrom=\"71\""));
  }

  @Test
  void shouldNameAndChangeNothingWhenThereIsNothingToAdopt() {
    // given
    ledger.adoptable = Future.failedFuture(new IdentityMismatchException("nothing"));

    // when
    Future<Void> agreed = unit.agree(retry, "group", this::offsets);

    // then
    assertThat(agreed.cause()).hasMessage("nothing");
    assertThat(ledger.changed).isFalse();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void shouldAdoptNothingWhenNobodyAskedForIt() {
    // when
    Future<Void> agreed = unit.agree(retry, "group", null);

    // then
    assertThat(agreed.succeeded()).isTrue();
    assertThat(ledger.changed).isFalse();
    assertThat(log.lines()).isEmpty();
  }
}
