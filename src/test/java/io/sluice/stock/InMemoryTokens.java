package io.sluice.stock;

import io.sluice.model.Grant;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore.TokenPage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Pages of a bucket's tokens; the cursor is a position in the order of its records. */
final class InMemoryTokens {
  private InMemoryTokens() {}

  static TokenPage page(Contents contents, List<Recorded> records, String from, int limit) {
    int begin = Math.min(records.size(), Integer.parseInt(from));
    int end = Math.min(records.size(), begin + limit);
    List<String> page = new ArrayList<>();
    for (Recorded known : records.subList(begin, end)) {
      page.add(known.grant().token().value());
      page.add(known.grant().userId());
    }
    return new TokenPage(
        BucketCode.OK,
        contents,
        records.size(),
        end == records.size() ? StockStore.FIRST_PAGE : String.valueOf(end),
        page);
  }

  /** Ordered as in the sorted set: by time, then by token. */
  static List<Grant> unbooked(Collection<Recorded> records) {
    return records.stream()
        .filter(Recorded::unbooked)
        .map(Recorded::grant)
        .sorted(
            Comparator.comparingLong(Grant::grantedAtMs)
                .thenComparing(grant -> grant.token().value()))
        .toList();
  }
}
