package io.sluice.sale.hostile;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Sends slow requests, some at a time, until it is stopped. */
final class SlowAttack {
  private static final int AT_A_TIME = 32;
  private static final String TOO_LATE = "408";
  private static final String UNAVAILABLE = "503";

  /** The forgers beside use up what one address and one buyer may get wrong. */
  private static final String TOO_MANY = "429";

  private final SlowRequests requests;
  private final Faults faults;
  private final Duration bodyTimeout;
  private final Duration limit;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          AT_A_TIME,
          work -> {
            Thread thread = new Thread(work, "slow");
            thread.setDaemon(true);
            return thread;
          });
  private volatile boolean stopped;

  private SlowAttack(SlowRequests requests, Faults faults, Duration bodyTimeout, Duration limit) {
    this.requests = requests;
    this.faults = faults;
    this.bodyTimeout = bodyTimeout;
    this.limit = limit;
  }

  /**
   * @param bodyTimeout in which a request must arrive
   * @param limit after which a connection must be closed
   */
  static SlowAttack start(
      SlowRequests requests, Faults faults, Duration bodyTimeout, Duration limit) {
    SlowAttack attack = new SlowAttack(requests, faults, bodyTimeout, limit);
    for (int i = 0; i < AT_A_TIME; i++) {
      attack.threads.execute(attack::sendMany);
    }
    return attack;
  }

  private void sendMany() {
    while (!stopped) {
      SlowRequest request = requests.next();
      try {
        SlowRequest.Outcome outcome = request.send(limit);
        faults.count("SLOW due " + request.due(), outcome.received());
        fault(request, outcome)
            .ifPresent(what -> faults.add(what, request.toString(), outcome.received()));
      } catch (IOException notConnected) {
        faults.add("not connected: " + notConnected, request.toString(), "");
      }
    }
  }

  private Optional<String> fault(SlowRequest request, SlowRequest.Outcome outcome) {
    String statuses = Faults.statuses(outcome.received());
    if (!outcome.closed()) {
      return Optional.of("holds its connection after " + outcome.took());
    }
    if (!statuses.matches(request.due())
        && !statuses.contains(UNAVAILABLE)
        && !statuses.contains(TOO_MANY)) {
      return Optional.of("not " + request.due() + " after " + outcome.took());
    }
    if (statuses.contains(TOO_LATE) && outcome.took().compareTo(bodyTimeout) < 0) {
      return Optional.of("too late after " + outcome.took() + " already");
    }
    return AnswerCheck.faultIn(outcome.received(), Due.SLOW);
  }

  /** Returns once all that were begun are over. */
  void stop() throws InterruptedException {
    stopped = true;
    threads.shutdown();
    if (!threads.awaitTermination(2 * limit.toSeconds(), TimeUnit.SECONDS)) {
      faults.add("slow requests do not end", "", "");
    }
  }
}
