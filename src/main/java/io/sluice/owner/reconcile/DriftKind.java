package io.sluice.owner.reconcile;

import java.util.Locale;
import java.util.stream.Stream;

/** How a bucket in Redis differs from the ledger. */
public enum DriftKind {
  /** Redis has fewer units taken, and could grant some of them again. */
  MISSING,
  /** Redis has more units taken, which nobody can buy. */
  WITHHELD,
  /** Redis has another total or version. */
  TOTAL;

  /** Its name in metrics. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static Iterable<String> words() {
    return Stream.of(values()).map(DriftKind::word).toList();
  }
}
