package io.sluice.admin;

import io.sluice.ledger.InMemoryCounts;
import io.sluice.ledger.SaleLedger.Seen;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is scripted to have happened in a sale. */
public final class FakeHistory extends InMemoryCounts {
  static final long OPENED_MS = FakeSales.SALE.terms().opensAtMs();

  /** The sale an hour after its opening. */
  static final Seen SEEN = new Seen(FakeSales.SALE, OPENED_MS + 3_600_000);

  final List<Group> granted = new ArrayList<>();
  final List<Group> ended = new ArrayList<>();

  /** 50 orders were granted at the opening, and 20 of them paid. */
  void sold() {
    granted.add(
        new Group(1001, 1, Kind.GRANTED, OPENED_MS, 0, 50, 50, 50, OPENED_MS, OPENED_MS + 300_000));
    ended.add(
        new Group(
            1001,
            1,
            Kind.PAID,
            OPENED_MS + 12_000,
            4,
            20,
            20,
            20,
            OPENED_MS + 12_000,
            OPENED_MS + 12_500));
    keep(
        List.of(
            new Interval(
                "phones-12",
                OPENED_MS,
                "9b2f0f0e",
                10_000,
                new Counts(Map.of("sold-out", 7L), Map.of(5L, 49L, 20L, 1L)))));
    keepIncidents(
        List.of(
            new Incident(
                OPENED_MS + 3_000,
                "9b2f0f0e",
                "clock-skew",
                OPENED_MS + 3_000,
                1,
                "ALARM: clock skew")));
  }

  private static Future<Slice> slice(List<Group> groups, Rest rest) {
    return Future.succeededFuture(
        new Slice(
            groups.stream().filter(group -> rest.skuIds().contains(group.skuId())).toList(),
            Optional.empty()));
  }

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    return slice(granted, rest);
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    return slice(ended, rest);
  }
}
