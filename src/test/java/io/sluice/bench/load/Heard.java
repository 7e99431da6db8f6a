package io.sluice.bench.load;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The answers to one volley. Accepted and refused requests are counted apart; latencies are in
 * microseconds.
 *
 * @param accepted 2xx
 * @param refused 4xx and, from wrk, 5xx: it does not tell them apart
 * @param failed all else, broken connections included
 * @param seconds duration of the volley
 * @param acceptedP99Us of the accepted ones alone; from wrk of all
 */
public record Heard(
    long accepted,
    long refused,
    long failed,
    double seconds,
    long p50Us,
    long p99Us,
    long maxUs,
    long acceptedP99Us) {
  /** The first word of the line that reports these numbers. */
  static final String WORD = "heard";

  public long requests() {
    return accepted + refused + failed;
  }

  public double perSecond() {
    return requests() / seconds;
  }

  /** Reads {@code accepted=1 refused=2 failed=0 us=1000000 p50_us=1 p99_us=1 max_us=1}. */
  static Heard parse(String line) {
    Map<String, Long> fields =
        Arrays.stream(line.trim().split(" "))
            .map(field -> field.split("=", 2))
            .collect(
                Collectors.toMap(field -> field[0], field -> (long) Double.parseDouble(field[1])));
    return new Heard(
        fields.get("accepted"),
        fields.get("refused"),
        fields.get("failed"),
        fields.get("us") / 1e6,
        fields.get("p50_us"),
        fields.get("p99_us"),
        fields.get("max_us"),
        fields.getOrDefault("accepted_p99_us", fields.get("p99_us")));
  }

  String line() {
    return "%s accepted=%d refused=%d failed=%d us=%d p50_us=%d p99_us=%d max_us=%d accepted_p99_us=%d"
        .formatted(
            WORD,
            accepted,
            refused,
            failed,
            Math.round(seconds * 1e6),
            p50Us,
            p99Us,
            maxUs,
            acceptedP99Us);
  }
}
