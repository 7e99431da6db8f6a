package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.ledger.OrderJob;
import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a ledger keeps jobs, and gives each to one worker at a time. */
abstract class JobContract extends SaleScene {
  private static final Duration LEASE = Duration.ofSeconds(60);

  private OrderJob started(String jobId) {
    return get(sales().startJob(OrderJob.wanted(jobId, Action.REFUND_PAID, saleId, 0, "olga")));
  }

  /** Takes running jobs until it gets this one; those of other tests are left taken. */
  private OrderJob taken(String jobId) {
    List<OrderJob> taken = new ArrayList<>();
    await()
        .until(
            () -> {
              Optional<OrderJob> next = get(sales().takeJob(LEASE));
              next.ifPresent(taken::add);
              return next.map(OrderJob::jobId).equals(Optional.of(jobId));
            });
    return taken.get(taken.size() - 1);
  }

  @Test
  void shouldKeepAJobAsItWasStartedWhenStartedAgain() {
    // given
    OrderJob first = started(saleId);

    // when
    OrderJob again =
        get(sales().startJob(OrderJob.wanted(saleId, Action.CANCEL_UNPAID, "", 7, "otto")));

    // then
    assertThat(again).isEqualTo(first);
    assertThat(again.isSameAs(OrderJob.wanted(saleId, Action.REFUND_PAID, saleId, 0, "otto")))
        .isTrue();
    assertThat(first.state()).isEqualTo(State.RUNNING);
    assertThat(first.startedAtMs()).isPositive();
    assertThat(get(sales().job(saleId))).contains(first);
    assertThat(get(sales().jobs(State.RUNNING, 100_000))).contains(first);
    assertThat(get(sales().job(saleId + "-other"))).isEmpty();
  }

  @Test
  void shouldGiveAJobToOneWorkerWhenSeveralAsk() {
    // given
    started(saleId);
    OrderJob mine = taken(saleId);

    // when
    Optional<OrderJob> another = get(sales().takeJob(LEASE));

    // then
    assertThat(another.map(OrderJob::jobId)).isNotEqualTo(Optional.of(saleId));
    OrderJob saved = get(sales().saveJob(mine.after(3, 1, 2, "7.0.1.9"), LEASE)).orElseThrow();
    assertThat(saved.changed()).isEqualTo(3);
    assertThat(saved.refused()).isEqualTo(2);
    assertThat(saved.undone()).isEqualTo(4);
    assertThat(saved.place()).isEqualTo("7.0.1.9");
    assertThat(get(sales().job(saleId))).contains(saved);
  }

  @Test
  void shouldLetAnotherWorkerGoOnWhenTheLeaseHasEnded() {
    // given
    started(saleId);
    OrderJob dead = taken(saleId);
    OrderJob left =
        get(sales().saveJob(dead.after(1, 0, 0, "7.0.1.9"), Duration.ZERO)).orElseThrow();

    // when
    OrderJob next = taken(saleId);

    // then
    assertThat(next.place()).isEqualTo("7.0.1.9");
    assertThat(get(sales().saveJob(left.after(1, 0, 0, "7.0.1.19"), LEASE))).isEmpty();
    assertThat(get(sales().saveJob(next.after(1, 0, 0, "7.0.1.19"), LEASE))).isPresent();
  }

  @Test
  void shouldNotGoOnWhenAJobIsStoppedOrDone() {
    // given
    String done = saleId + "-done";
    started(saleId);
    started(done);
    OrderJob stopped = taken(saleId);
    OrderJob ends = taken(done);

    // when
    OrderJob now = get(sales().stopJob(saleId)).orElseThrow();
    OrderJob ended = get(sales().saveJob(ends.after(0, 0, 1, ""), Duration.ZERO)).orElseThrow();

    // then
    assertThat(now.state()).isEqualTo(State.STOPPED);
    assertThat(get(sales().saveJob(stopped.after(1, 0, 0, "7.0.1.9"), LEASE))).isEmpty();
    assertThat(ended.state()).isEqualTo(State.DONE);
    assertThat(get(sales().stopJob(done))).contains(ended);
    assertThat(get(sales().stopJob(saleId + "-none"))).isEmpty();
    assertThat(get(sales().jobs(State.RUNNING, 100_000)))
        .extracting(OrderJob::jobId)
        .doesNotContain(saleId, done);
  }
}
