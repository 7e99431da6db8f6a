package io.sluice.auth;

import io.sluice.auth.JwtVerifier.SignatureCredit;
import io.sluice.auth.JwtVerifier.Verdict;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.grant.SkuEntry;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of waiting rooms: a signed token that admits one buyer to one sale, or to one SKU that is
 * in none. It grants nothing; a buyer with a ticket takes his turn like everybody.
 *
 * @param verifier null if no key is configured
 * @param issuer of all tickets; empty for any
 */
public record Tickets(@Nullable JwtVerifier verifier, String issuer) {
  private static final CharSequence HEADER = HttpHeaders.createOptimized("sluice-ticket");
  private static final String EXPECTED = "Expected the waiting room's ticket as Sluice-Ticket: ";

  /** What holds for every request if no key verifies tickets. */
  public static final SkuEntry WITHOUT_KEY =
      sku -> sku.settings().ticket() ? required("one, but no key verifies tickets here") : null;

  /** Whether tickets can be verified here. */
  public boolean isOn() {
    return verifier != null;
  }

  /** Whether the request carries a ticket whose signature nobody has looked at yet. */
  public boolean carriesUnseen(HttpServerRequest request) {
    List<String> carried = request.headers().getAll(HEADER);
    return verifier != null && carried.size() == 1 && !verifier.isKnown(carried.get(0).strip());
  }

  /**
   * Whether this request of this buyer may ask for a SKU; only if {@link #isOn}.
   *
   * @param credit of the buyer for wrong tickets
   */
  public SkuEntry entry(HttpServerRequest request, String buyer, SignatureCredit credit) {
    JwtVerifier by = Objects.requireNonNull(verifier);
    return sku -> sku.settings().ticket() ? refusal(by, request, buyer, sku, credit) : null;
  }

  private @Nullable Refused refusal(
      JwtVerifier by, HttpServerRequest request, String buyer, Sku sku, SignatureCredit credit) {
    List<String> carried = request.headers().getAll(HEADER);
    if (carried.size() != 1) {
      return required(carried.isEmpty() ? "one, but there is none" : "one, but there are several");
    }
    Verdict verdict =
        by.verify(carried.get(0).strip(), Claims.Rule.ticket(issuer, audience(sku), buyer), credit);
    if (verdict instanceof Verdict.Valid valid) {
      return tooEarly(valid.claims().untilBegunMs(by.nowMs()));
    }
    JwtFault fault = ((Verdict.Invalid) verdict).fault();
    return fault == JwtFault.BUSY
        ? new Refused(Refusal.BUSY, EXPECTED + "one with " + fault.detail() + ".", 1)
        : required("one with " + fault.detail());
  }

  /**
   * The subject of a ticket: the sale, or a SKU that is in none. No sale is called like a SKU here,
   * since the id of one has no colon.
   */
  private static String audience(Sku sku) {
    String saleId = sku.membership().saleId();
    return saleId == null ? "sku:" + sku.skuId() : saleId;
  }

  private static Refused required(String expected) {
    return new Refused(Refusal.TICKET_REQUIRED, EXPECTED + expected + ".", 0);
  }

  private static @Nullable Refused tooEarly(long waitMs) {
    if (waitMs <= 0) {
      return null;
    }
    // Rounded up: a buyer who returns then is not early again.
    long waitS = Math.min((waitMs + 999) / TimeUnit.SECONDS.toMillis(1), Integer.MAX_VALUE);
    return new Refused(
        Refusal.TOO_EARLY,
        "Expected a ticket that is valid now, but it is in " + waitS + " s.",
        Math.toIntExact(waitS));
  }
}
