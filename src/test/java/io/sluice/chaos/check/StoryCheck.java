package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.buyer.OrderStory.Units;
import io.sluice.chaos.fault.Rewinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Compares the answers to one buyer and payer with the order in the ledger. Each answer is a
 * constraint on the final state: after CONFIRMED, the order is sold, or was refunded on request.
 */
public final class StoryCheck {
  private static final Set<String> NEVER =
      Set.of(
          "500", "500 internal", "400 bad-request", "401", "404 unknown-sku", "409 key-mismatch");
  private static final Set<String> SOLD = Set.of("CONFIRMED", "REFUNDED");
  private static final Set<String> ENDED = Set.of("CANCELED", "REFUNDED", "REJECTED");

  /** Maximum clock skew between the ledger and this process, and between Redis and the ledger. */
  private static final long SKEW_MAX_MS = 2_000;

  private final OrderStory story;
  private final BookedOrder order;
  private final int windowS;
  private final Rewinds rewinds;
  private final List<String> breaches = new ArrayList<>();

  private StoryCheck(OrderStory story, BookedOrder order, int windowS, Rewinds rewinds) {
    this.story = story;
    this.order = order;
    this.windowS = windowS;
    this.rewinds = rewinds;
  }

  /**
   * One line per breach.
   *
   * @param order of any of the answered tokens, or found by buyer and key; null where the ledger
   *     has none
   * @param windowS the time to pay; 0 where booking confirms at once
   * @param rewinds of the ledger, which excuse what it has forgotten
   */
  public static List<String> breaches(
      OrderStory story, BookedOrder order, int windowS, Rewinds rewinds) {
    var check = new StoryCheck(story, order, windowS, rewinds);
    check.answers();
    check.durable();
    if (order != null) {
      check.told();
      check.end();
    }
    return check.breaches;
  }

  private void answers() {
    for (OrderStory.BookedMark told : story.tolds()) {
      expect(() -> !NEVER.contains(told.answer()), "an answer that must never be given: " + told);
      expect(
          () -> told.ask() == Ask.LINE || !told.answer().startsWith("404"),
          "an order that got its yes is unknown: " + told);
      expect(() -> told.ask() != Ask.LINE || !told.isYes(), "a line is shown alone: " + told);
    }
    expect(() -> story.tokens().size() <= 1, "one request got several orders: " + story.tokens());
  }

  private void durable() {
    if (story.tokens().isEmpty()) {
      return;
    }
    if (order == null) {
      expect(() -> rewinds.forgot(story), "a yes has no order in the ledger");
      return;
    }
    expect(() -> !order.status().equals("REJECTED"), "a yes was rejected");
    expect(
        () ->
            unitsOf(order.granted()).equals(story.wanted().units())
                && order.userId().equals(story.wanted().userId()),
        "the order differs from the request");
    story.tolds().stream()
        .filter(OrderStory.BookedMark::isYes)
        .forEach(
            told ->
                expect(
                    () -> told.granted().equals(order.granted()),
                    "granted is %s, but told was %s: %s"
                        .formatted(order.granted(), told.granted(), told)));
  }

  private static List<Units> unitsOf(List<GrantedUnits> granted) {
    return granted.stream().map(units -> new Units(units.skuId(), units.qty())).toList();
  }

  private void told() {
    Map<String, Set<String>> ends =
        Map.of(
            "200 CONFIRMED", SOLD,
            "200 CANCELED", Set.of("CANCELED"),
            "200 REFUNDED", Set.of("REFUNDED"),
            "200 REJECTED", Set.of("REJECTED"),
            "409 already-confirmed", SOLD,
            "409 already-refunded", Set.of("REFUNDED"),
            "409 payment-late", Set.of("CANCELED", "REJECTED"),
            "409 order-ended", ENDED);
    for (OrderStory.BookedMark told : story.tolds()) {
      Set<String> allowed = ends.get(told.answer());
      expect(
          () -> allowed == null || allowed.contains(order.status()) || rewinds.excuses(told, order),
          "the order is %s, but the answer was %s".formatted(order.status(), told));
    }
    boolean toldLate =
        story.tolds().stream()
            .filter(told -> told.ask() == Ask.CONFIRM && !rewinds.excuses(told, order))
            .anyMatch(told -> told.answer().equals("409 payment-late"));
    expect(() -> !toldLate || order.latePaidAtMs() > 0, "payment-late, but no late_paid_at");
    boolean toldPaid = story.answersTo(Ask.CONFIRM).anyMatch("200 CONFIRMED"::equals);
    boolean toldUnpaid =
        Stream.of(Ask.REFUND, Ask.REQUEST_PART)
            .flatMap(story::answersTo)
            .anyMatch("409 not-confirmed"::equals);
    expect(() -> !(toldPaid && toldUnpaid), "answered CONFIRMED, and also not-confirmed");
  }

  private void end() {
    expect(
        () -> order.latePaidAtMs() == 0 || story.asked(Ask.CONFIRM),
        "late_paid_at is set, but there was no payment");
    switch (order.status()) {
      case "CONFIRMED" ->
          expect(() -> windowS == 0 || story.asked(Ask.CONFIRM), "confirmed without a payment");
      case "REFUNDED" -> expect(() -> story.asked(Ask.REFUND), "refunded without a request");
      case "CANCELED" -> canceled();
      case "REJECTED" -> {}
      default -> breaches.add("not ended, long after the end of its time to pay");
    }
  }

  private void canceled() {
    if (order.reason().equals("BUYER")) {
      expect(() -> story.asked(Ask.CANCEL), "canceled for the buyer without a request");
    } else if (order.reason().equals("TIMEOUT")) {
      long canceledMs = order.txns().get(order.txns().size() - 1).createdAtMs();
      expect(() -> canceledMs >= order.payBeforeMs(), "canceled before its time to pay was over");
      expect(
          () -> canceledMs >= story.beganMs() + 1_000L * windowS - SKEW_MAX_MS,
          "canceled earlier after the request than the time to pay allows");
    } else {
      breaches.add("canceled for " + order.reason());
    }
  }

  private void expect(BooleanSupplier kept, String breach) {
    if (!kept.getAsBoolean()) {
      breaches.add(breach);
    }
  }
}
