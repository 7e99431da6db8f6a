package io.sluice.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A volley: orders of one unit for a fixed time.
 *
 * @param url of the server, such as {@code http://127.0.0.1:8080}
 * @param length for how long requests are sent
 * @param ratePerS arrivals a second, independent of the answers; 0: each connection sends the next
 *     request as soon as it has its answer
 * @param kind of buyers
 * @param buyers prefix of the new buyers' names or of the others' keys, another one for each volley
 * @param firstSku the first of the SKUs, which are ordered in turn; all ids have ten digits
 * @param skus number of SKUs; 1 where each order has several
 */
public record LoadSpec(
    String url,
    int connections,
    Duration length,
    int ratePerS,
    Buyers kind,
    String buyers,
    long firstSku,
    int skus) {
  static final int SKU_DIGITS = 10;

  /** The number of {@link #words}. */
  static final int WORDS = 8;

  /** Its fields as arguments of a command, the length in milliseconds. */
  List<String> words() {
    return Stream.of(url, connections, length.toMillis(), ratePerS, kind, buyers, firstSku, skus)
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
        Buyers.valueOf(words.get(4)),
        words.get(5),
        Long.parseLong(words.get(6)),
        Integer.parseInt(words.get(7)));
  }

  /** The same against another server. */
  public LoadSpec at(String otherUrl) {
    return new LoadSpec(otherUrl, connections, length, ratePerS, kind, buyers, firstSku, skus);
  }

  /** The same at this arrival rate. */
  public LoadSpec arriving(int perS) {
    return new LoadSpec(url, connections, length, perS, kind, buyers, firstSku, skus);
  }

  /** The same with another prefix. */
  public LoadSpec by(String otherBuyers) {
    return new LoadSpec(url, connections, length, ratePerS, kind, otherBuyers, firstSku, skus);
  }

  /** The same from buyers of another kind. */
  public LoadSpec by(Buyers otherKind) {
    return new LoadSpec(url, connections, length, ratePerS, otherKind, buyers, firstSku, skus);
  }

  /** The same over this many connections. */
  public LoadSpec over(int otherConnections) {
    return new LoadSpec(url, otherConnections, length, ratePerS, kind, buyers, firstSku, skus);
  }

  /** The same for another length. */
  public LoadSpec lasting(Duration other) {
    return new LoadSpec(url, connections, other, ratePerS, kind, buyers, firstSku, skus);
  }
}
