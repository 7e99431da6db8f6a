package io.sluice.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Orders of new buyers for a fixed time, and the payments that follow from them.
 *
 * @param url of the server, such as {@code http://127.0.0.1:8080}
 * @param connections of those who order; the back office has some of its own
 * @param length for how long orders arrive
 * @param perS arrivals a second, independent of the answers (open loop); 0: each connection sends
 *     the next order as soon as it has its answer
 * @param buyers prefix of the buyers' names, another one for each volley
 * @param firstSku the first of the SKUs; all ids have ten digits
 * @param skus how many are ordered in turn; of carts 1, since each order begins with the first
 * @param lines SKUs of each order, with consecutive ids
 * @param payAfterMs from a yes to its payment, of nine in ten; 0: nobody pays
 * @param settleMs what is due earlier is counted, but not timed
 */
public record LoadSpec(
    String url,
    int connections,
    Duration length,
    int perS,
    String buyers,
    long firstSku,
    int skus,
    int lines,
    int payAfterMs,
    int settleMs) {
  /** Of so many grants, one is left to time out. */
  public static final int UNPAID_ONE_IN = 10;

  static final int SKU_DIGITS = 10;

  public LoadSpec {
    if (String.valueOf(firstSku).length() != SKU_DIGITS) {
      throw new IllegalArgumentException("Expected SKUs of ten digits, but got " + firstSku);
    }
  }

  /** Orders of one unit, as fast as they are answered; nobody pays. */
  public static LoadSpec closed(
      String url, int connections, Duration length, String buyers, long firstSku, int skus) {
    return new LoadSpec(url, connections, length, 0, buyers, firstSku, skus, 1, 0, 0);
  }

  /** Its fields as arguments of a command, the length in milliseconds. */
  List<String> words() {
    return Stream.of(
            url,
            connections,
            length.toMillis(),
            perS,
            buyers,
            firstSku,
            skus,
            lines,
            payAfterMs,
            settleMs)
        .map(String::valueOf)
        .toList();
  }

  /** What {@link #words} made. */
  static LoadSpec parse(List<String> words) {
    return new LoadSpec(
        words.get(0),
        Integer.parseInt(words.get(1)),
        Duration.ofMillis(Long.parseLong(words.get(2))),
        Integer.parseInt(words.get(3)),
        words.get(4),
        Long.parseLong(words.get(5)),
        Integer.parseInt(words.get(6)),
        Integer.parseInt(words.get(7)),
        Integer.parseInt(words.get(8)),
        Integer.parseInt(words.get(9)));
  }

  /** Whether the buyer of this grant pays; grants are numbered from 0. */
  boolean isPaid(long grant) {
    return payAfterMs > 0 && grant % UNPAID_ONE_IN != UNPAID_ONE_IN - 1;
  }

  public LoadSpec at(String other) {
    return new LoadSpec(
        other, connections, length, perS, buyers, firstSku, skus, lines, payAfterMs, settleMs);
  }

  /** With this many connections. */
  public LoadSpec over(int other) {
    return new LoadSpec(
        url, other, length, perS, buyers, firstSku, skus, lines, payAfterMs, settleMs);
  }

  public LoadSpec lasting(Duration other) {
    return new LoadSpec(
        url, connections, other, perS, buyers, firstSku, skus, lines, payAfterMs, settleMs);
  }

  /** At this many arrivals a second. */
  public LoadSpec arriving(int other) {
    return new LoadSpec(
        url, connections, length, other, buyers, firstSku, skus, lines, payAfterMs, settleMs);
  }

  /** From buyers whose names begin with this. */
  public LoadSpec by(String other) {
    return new LoadSpec(
        url, connections, length, perS, other, firstSku, skus, lines, payAfterMs, settleMs);
  }

  /** Orders of this many SKUs together. */
  public LoadSpec inCartsOf(int other) {
    return new LoadSpec(
        url, connections, length, perS, buyers, firstSku, 1, other, payAfterMs, settleMs);
  }

  /** Paid this long after their yes; the first of them are not timed. */
  public LoadSpec paidAfter(int afterMs, int settled) {
    return new LoadSpec(
        url, connections, length, perS, buyers, firstSku, skus, lines, afterMs, settled);
  }
}
