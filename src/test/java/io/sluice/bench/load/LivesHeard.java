package io.sluice.bench.load;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The answers to orders and to their confirmations.
 *
 * @param granted orders answered 2xx
 * @param refused orders answered 4xx
 * @param failed orders answered otherwise, or not at all
 * @param unsent orders that arrived while no connection was free, until the end
 * @param unpaid grants that are left to time out
 * @param confirmed confirmations answered 200
 * @param accepted confirmations answered 202: their outcome was not known in time
 * @param late confirmations answered 4xx: the order had ended before
 * @param payFailed confirmations answered otherwise, or not at all
 * @param grantP99Us of the granted ones, from when they arrived
 * @param payP99Us of the confirmations, from when they were due
 */
public record LivesHeard(
    long granted,
    long refused,
    long failed,
    long unsent,
    long unpaid,
    long confirmed,
    long accepted,
    long late,
    long payFailed,
    long grantP99Us,
    long payP99Us) {
  /** The first word of the line that reports these numbers. */
  static final String WORD = "lives";

  /** Reads {@code granted=1 refused=0 ...}. */
  static LivesHeard parse(String line) {
    Map<String, Long> fields =
        Arrays.stream(line.trim().split(" "))
            .map(field -> field.split("=", 2))
            .collect(Collectors.toMap(field -> field[0], field -> Long.parseLong(field[1])));
    return new LivesHeard(
        fields.get("granted"),
        fields.get("refused"),
        fields.get("failed"),
        fields.get("unsent"),
        fields.get("unpaid"),
        fields.get("confirmed"),
        fields.get("accepted"),
        fields.get("late"),
        fields.get("pay_failed"),
        fields.get("grant_p99_us"),
        fields.get("pay_p99_us"));
  }

  String line() {
    return "%s granted=%d refused=%d failed=%d unsent=%d unpaid=%d confirmed=%d accepted=%d late=%d pay_failed=%d grant_p99_us=%d pay_p99_us=%d"
        .formatted(
            WORD,
            granted,
            refused,
            failed,
            unsent,
            unpaid,
            confirmed,
            accepted,
            late,
            payFailed,
            grantP99Us,
            payP99Us);
  }

  /** Orders that arrived and were not granted. */
  public long notGranted() {
    return refused + failed + unsent;
  }

  /** Confirmations whose order may have timed out instead. */
  public long notPaid() {
    return late + payFailed;
  }
}
