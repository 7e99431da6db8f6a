package io.sluice.sale.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Sends hostile requests, many at a time, and checks that each gets its answer. */
record Attack(RawCaller caller, Faults faults, Duration limit) {
  private static final int AT_A_TIME = 100;
  private static final int PER_MS = 1;

  /** Sends one of each source in turn, until that many are sent and answered. */
  @SuppressWarnings("try") // The bar is a resource that is only closed.
  void send(int number, List<Supplier<HostileRequest>> sources) throws InterruptedException {
    Semaphore places = new Semaphore(AT_A_TIME);
    AtomicInteger sent = new AtomicInteger();
    try (ProgressBar progress =
        ProgressBar.show(Screen.ofStandardOutput(), "hostile", number, sent::get, () -> "")) {
      while (sent.get() < number) {
        HostileRequest request = sources.get(sent.get() % sources.size()).get();
        places.acquire();
        caller
            .send(request.port(), request.bytes(), limit)
            .onComplete(answer -> check(request, answer.result(), answer.cause()))
            .onComplete(answer -> places.release());
        if (sent.incrementAndGet() % PER_MS == 0) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
      }
    }
    assertThat(places.tryAcquire(AT_A_TIME, 30, TimeUnit.SECONDS)).isTrue();
  }

  private void check(HostileRequest request, String answer, Throwable open) {
    if (open != null) {
      faults.add(open.toString(), request.toString(), "");
      return;
    }
    faults.count(request.due().name(), answer);
    AnswerCheck.faultIn(answer, request.due())
        .ifPresent(what -> faults.add(what, request.toString(), answer));
  }
}
