package io.sluice.ledger.rules;

import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.sluice.ledger.Webhooks.PutResult;
import io.sluice.ledger.Webhooks.Webhook;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a PUT of a target makes of it. */
public final class WebhookRules {
  private WebhookRules() {}

  /**
   * A new target needs address and secret; one that is there keeps what is left out, is no longer
   * stopped, and signs with its secret of before for a while.
   *
   * @param isFull whether there is no room for another one
   */
  public static PutResult put(
      Optional<Webhook> was, NewWebhook wanted, long nowMs, BooleanSupplier isFull) {
    return was.<PutResult>map(before -> new PutResult.Done(changed(before, wanted, nowMs), false))
        .orElseGet(() -> made(wanted, nowMs, isFull));
  }

  private static Webhook changed(Webhook was, NewWebhook wanted, long nowMs) {
    boolean rotates = wanted.secret() != null && !wanted.secret().equals(was.secret());
    return new Webhook(
        was.webhookId(),
        Objects.requireNonNullElse(wanted.url(), was.url()),
        Objects.requireNonNullElse(wanted.secret(), was.secret()),
        rotates ? was.secret() : was.formerSecret(),
        rotates ? nowMs + Webhooks.FORMER_SIGNS_FOR.toMillis() : was.formerUntilMs(),
        Objects.requireNonNullElse(wanted.types(), was.types()),
        Objects.requireNonNullElse(wanted.form(), was.form()),
        was.cursor(),
        "",
        was.owner(),
        was.leasedUntilMs(),
        nowMs);
  }

  private static PutResult made(NewWebhook wanted, long nowMs, BooleanSupplier isFull) {
    if (wanted.url() == null) {
      return new PutResult.Missing("url");
    }
    if (wanted.secret() == null) {
      return new PutResult.Missing("secret");
    }
    if (isFull.getAsBoolean()) {
      return new PutResult.Full();
    }
    if (wanted.cursor() == null) {
      return new PutResult.NoCursor();
    }
    return new PutResult.Done(
        new Webhook(
            wanted.webhookId(),
            wanted.url(),
            wanted.secret(),
            "",
            0,
            Objects.requireNonNullElse(wanted.types(), Webhooks.ALL_TYPES),
            Objects.requireNonNullElse(wanted.form(), Form.THIN),
            wanted.cursor(),
            "",
            "",
            0,
            nowMs),
        true);
  }
}
