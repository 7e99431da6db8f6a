package io.sluice.chaos.buyer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All requests about one order, and their answers. Any thread may add to it. */
public final class OrderStory {
  /** The kinds of requests. */
  public enum Ask {
    PLACE,
    STATUS,
    CONFIRM,
    CANCEL,
    REFUND,
    /** Asks for a refund of one line of a cart. */
    REQUEST_PART,
    /** Completes it. */
    COMPLETE_PART,
    /** Asks for a line of a cart as if it were an order. */
    LINE
  }

  /** Units of one SKU. */
  public record Units(long skuId, int qty) {}

  /** Units of one SKU that were granted, the last of them with this seq. */
  public record GrantedUnits(long skuId, int qty, long seq) {}

  /**
   * One request and its answer.
   *
   * @param atMs when it was sent, epoch milliseconds
   * @param answer in brief, such as {@code 201 RESERVED} or {@code 409 payment-late}
   * @param token that the answer contained; of another answer the one that it is about, empty where
   *     it is none to an order
   * @param granted what the answer said is granted: one SKU, or all lines of a cart
   */
  public record BookedMark(
      long atMs,
      long tookMs,
      Ask ask,
      int instance,
      String answer,
      String token,
      List<GrantedUnits> granted) {
    public boolean isYes() {
      return answer.startsWith("20");
    }

    public long endMs() {
      return atMs + tookMs;
    }

    @Override
    public String toString() {
      return "%tT.%<tL %s at %d -> %s %s (%d ms)"
          .formatted(atMs, ask, instance, answer, token, tookMs);
    }
  }

  /**
   * What the buyer wants.
   *
   * @param key the Idempotency-Key
   * @param units by SKU id; of several SKUs where it is a cart
   */
  public record OrderRequest(String userId, String key, List<Units> units) {
    public OrderRequest {
      units = units.stream().sorted(Comparator.comparingLong(Units::skuId)).toList();
    }

    /** Units of one SKU. */
    public OrderRequest(long skuId, String userId, String key, int qty) {
      this(userId, key, List.of(new Units(skuId, qty)));
    }

    public boolean isCart() {
      return units.size() > 1;
    }

    /** The SKU; of a cart that of its first line, which gives the order its token. */
    public long skuId() {
      return units.get(0).skuId();
    }

    /** The line of which a part is refunded: the last one. */
    public Units part() {
      return units.get(units.size() - 1);
    }
  }

  /** A request that was sent, about this order; about none yet where it places one. */
  private record Sent(Ask ask, String token) {}

  private static final int ENDS = 4;

  private final OrderRequest wanted;
  private final List<BookedMark> tolds = new ArrayList<>(4);
  private final List<Sent> sent = new ArrayList<>(4);
  private long beganMs = Long.MAX_VALUE;

  public OrderStory(OrderRequest wanted) {
    this.wanted = wanted;
  }

  public OrderRequest wanted() {
    return wanted;
  }

  public void asking(Ask ask, long atMs) {
    asking(ask, "", atMs);
  }

  /** Records a request before it is sent: it may have an effect without an answer. */
  public synchronized void asking(Ask ask, String token, long atMs) {
    sent.add(new Sent(ask, token));
    beganMs = Math.min(beganMs, atMs);
  }

  /** When the first request was sent, epoch milliseconds: nothing was granted before that. */
  public synchronized long beganMs() {
    return beganMs;
  }

  public synchronized void heard(BookedMark told) {
    tolds.add(told);
  }

  public synchronized List<BookedMark> tolds() {
    return List.copyOf(tolds);
  }

  public synchronized boolean asked(Ask ask) {
    return sent.stream().anyMatch(each -> each.ask() == ask);
  }

  public Stream<String> answersTo(Ask ask) {
    return tolds().stream().filter(told -> told.ask() == ask).map(BookedMark::answer);
  }

  /** The tokens that were answered with a 2xx: at most one, in a sound system. */
  public List<String> tokens() {
    return tolds().stream().filter(BookedMark::isYes).map(BookedMark::token).distinct().toList();
  }

  /**
   * What was asked and told of these orders alone; of no order, where there are none: what was
   * asked before one had its token, and refused.
   */
  public synchronized OrderStory about(Set<String> tokens) {
    var part = new OrderStory(wanted);
    sent.stream()
        .filter(each -> each.ask() == Ask.PLACE || tokens.contains(each.token()))
        .forEach(each -> part.asking(each.ask(), each.token(), beganMs));
    tolds.stream()
        .filter(told -> tokens.isEmpty() ? told.token().isEmpty() : tokens.contains(told.token()))
        .forEach(part::heard);
    return part;
  }

  /** The first and the last few requests, as text. */
  public String end() {
    List<BookedMark> all = tolds();
    return wanted
        + Stream.concat(
                all.stream().limit(ENDS), all.stream().skip(Math.max(ENDS, all.size() - ENDS)))
            .map(told -> "\n    " + told)
            .collect(Collectors.joining("", "", "\n"));
  }

  @Override
  public String toString() {
    return wanted + tolds().stream().map(told -> "\n    " + told).collect(Collectors.joining());
  }
}
