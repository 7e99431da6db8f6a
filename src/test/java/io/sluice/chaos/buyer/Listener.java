package io.sluice.chaos.buyer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.webhook.WebhookReceiver;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A shop that is told of its orders by a webhook. It accepts for a while, then it is in trouble,
 * over and over; after each trouble an operator lets be sent again what it has not accepted.
 */
public final class Listener implements AutoCloseable {
  /** What keeps it from accepting, or from saying that it has. */
  private enum Trouble {
    REFUSES(3_000),
    /** For longer than a request may take. */
    HANGS(12_000),
    AWAY(3_000),
    /** It takes each message, but its answers are lost. */
    UNHEARD(2_000);

    private final int lengthMs;

    Trouble(int lengthMs) {
      this.lengthMs = lengthMs;
    }
  }

  private static final String TARGET = "/admin/webhooks/shop";
  private static final int SOUND_MS = 4_000;
  private static final int REFUSAL = 500;

  private final SaleSite site;
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private final FaultProxy link = FaultProxy.inFrontOf(receiver.url());
  private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
  private int troubles;
  private boolean inTrouble;
  private boolean leaving;

  /** One that is told of all from now on; the instances must be ready. */
  public Listener(SaleSite site) {
    this.site = site;
    Answer put =
        site.desk(
            "PUT",
            TARGET,
            new JsonObject()
                .put("url", link.uri())
                .put("secret", WebhookReceiver.SECRET)
                .put("form", "full"));
    assertThat(put.status()).as("PUT of the webhook: %s", put).isEqualTo(201);
  }

  public void come() {
    turnAfter(SOUND_MS);
  }

  /** It accepts all from now on. */
  public synchronized void stopComing() {
    leaving = true;
    recover();
  }

  private synchronized void turn() {
    if (leaving) {
      return;
    }
    if (inTrouble) {
      recover();
      replay();
      turnAfter(SOUND_MS);
    } else {
      Trouble next = Trouble.values()[troubles++ % Trouble.values().length];
      inTrouble = true;
      begin(next);
      turnAfter(next.lengthMs);
    }
  }

  private void turnAfter(int ms) {
    turns.schedule(this::turn, ms, TimeUnit.MILLISECONDS);
  }

  private void begin(Trouble trouble) {
    switch (trouble) {
      case REFUSES -> receiver.answering(REFUSAL);
      case HANGS -> link.stall();
      case AWAY -> {
        link.refuse();
        link.cut();
      }
      case UNHEARD -> link.swallowReplies();
    }
  }

  private void recover() {
    inTrouble = false;
    receiver.answering(200);
    link.heal();
  }

  /** At any instance, which may be down: the next one comes after the next trouble. */
  public void replay() {
    int instance = ThreadLocalRandom.current().nextInt(Targets.INSTANCES);
    site.http().send(Call.post(site.instance(instance).adminUrl() + TARGET + "/replay"));
  }

  /** Each event once, in the order in which it was taken. */
  public List<JsonObject> events() {
    return receiver.taken().stream().map(message -> message.getJsonObject("data")).toList();
  }

  /** Messages whose signature is wrong. */
  public List<String> faults() {
    return receiver.faults();
  }

  /** Whether it had each trouble at least once. */
  public synchronized boolean hadAll() {
    return troubles > Trouble.values().length;
  }

  @Override
  public synchronized String toString() {
    return "%,d messages taken of %,d sent, %d troubles"
        .formatted(receiver.taken().size(), receiver.requests(), troubles);
  }

  @Override
  public void close() {
    turns.shutdownNow();
    link.close();
    receiver.close();
  }
}
