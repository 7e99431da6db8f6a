package io.sluice.ledger.rules;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The releases of a partition that are not sent. They are read for each bucket that is compared, so
 * rows are only counted, and no entries are parsed but those of the bucket.
 */
public final class PendingReleases {
  private final List<OutboxRow> rows = new ArrayList<>();
  private int entries;

  /** Adds further rows; returns whether so few entries are known that more rows can be added. */
  public boolean add(List<OutboxRow> page) {
    rows.addAll(page);
    page.forEach(row -> entries += OutboxList.count(row.payload()));
    return entries <= Ledger.UNRELEASED_MAX;
  }

  /** The id of the last row. */
  public long lastId() {
    return rows.isEmpty() ? 0 : rows.get(rows.size() - 1).id();
  }

  /**
   * The orders of a bucket that are still to be released, and the units of each of them that Redis
   * counts after all of its releases. Empty if there are too many.
   */
  public Optional<Map<OrderToken, Integer>> of(BucketId id) {
    if (entries > Ledger.UNRELEASED_MAX) {
      return Optional.empty();
    }
    String beginOfToken = "\"" + id.skuId() + "." + id.bucket() + ".";
    Map<OrderToken, Integer> counted = new LinkedHashMap<>();
    OutboxList.allEntries(rows)
        .filter(entry -> entry.contains(beginOfToken))
        .map(OutboxPayload::releaseOf)
        .filter(release -> release.token().bucketId().equals(id))
        .forEach(release -> counted.merge(release.token(), release.counted(), Math::min));
    return Optional.of(counted);
  }
}
