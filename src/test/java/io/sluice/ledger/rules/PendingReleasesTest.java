package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PendingReleasesTest {
  private static final BucketId BUCKET = new BucketId(1001, 1);

  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private final PendingReleases unit = new PendingReleases();

  private OrderToken token(BucketId bucket, int number) {
    return tokens.tokenFor("user-" + number, bucket, null);
  }

  private static String release(OrderToken token) {
    return release(token, 0);
  }

  private static String release(OrderToken token, int left) {
    return OutboxPayload.release(0, new OutboxPayload.Release(token, 1, 1, left)).payload();
  }

  private static OutboxRow row(long id, List<String> entries) {
    String payload = "[" + String.join(",\n", entries) + "]";
    return new OutboxRow(id, 0, OutboxKind.RELEASE, OutboxPayload.RELEASE, payload, 0);
  }

  @Test
  void shouldListTheOrdersOfTheBucketOnce() {
    // given
    OrderToken first = token(BUCKET, 1);
    OrderToken second = token(BUCKET, 2);
    String neighbour = release(token(new BucketId(1001, 11), 1));

    // when
    boolean more =
        unit.add(
            List.of(
                row(3, List.of(neighbour, release(second))),
                row(7, List.of(release(first), release(second)))));

    // then
    assertThat(more).isTrue();
    assertThat(unit.lastId()).isEqualTo(7);
    assertThat(unit.of(BUCKET)).contains(Map.of(second, 0, first, 0));
    assertThat(unit.of(new BucketId(1001, 2))).contains(Map.of());
  }

  @Test
  void shouldTellWhatAnOrderKeepsAfterAllOfItsReleases() {
    // given
    OrderToken mine = token(BUCKET, 1);

    // when
    unit.add(List.of(row(3, List.of(release(mine, 1))), row(7, List.of(release(mine, 2)))));

    // then
    assertThat(unit.of(BUCKET)).contains(Map.of(mine, 1));
  }

  /** Units that have left the stock are counted in Redis before and after the release. */
  @Test
  void shouldCountWhatHasLeftTheStock() {
    // given
    OrderToken mine = token(BUCKET, 1);
    String first = OutboxPayload.release(0, new Release(mine, 1, 1, 4, 0, 0)).payload();
    String second = OutboxPayload.release(0, new Release(mine, 1, 1, 2, 2, 0)).payload();
    String third = OutboxPayload.release(0, new Release(mine, 1, 1, 1, 2, 0)).payload();

    // when
    unit.add(List.of(row(3, List.of(first, second)), row(7, List.of(third))));

    // then
    assertThat(unit.of(BUCKET)).contains(Map.of(mine, 3));
  }

  /** Thousands of other buckets' entries would be parsed for each bucket that is compared. */
  @Test
  void shouldParseNoEntryOfAnotherBucket() {
    // given
    OrderToken mine = token(BUCKET, 1);
    String unreadable = release(token(new BucketId(1001, 2), 1)).replace("}", "");

    // when
    unit.add(List.of(row(1, List.of(unreadable, release(mine)))));

    // then
    assertThat(unit.of(BUCKET)).contains(Map.of(mine, 0));
  }

  @Test
  void shouldListNoneWhenTheyAreTooMany() {
    // given
    String entry = release(token(BUCKET, 1));
    List<OutboxRow> rows =
        IntStream.range(0, Ledger.UNRELEASED_MAX / OutboxList.ENTRIES_MAX)
            .mapToObj(
                i ->
                    row(
                        i + 1,
                        IntStream.range(0, OutboxList.ENTRIES_MAX).mapToObj(n -> entry).toList()))
            .toList();

    // when
    boolean moreThanAll = unit.add(rows);
    boolean listed = unit.of(BUCKET).isPresent();
    boolean moreThanTooMany = unit.add(List.of(row(1_000, List.of(entry))));

    // then
    assertThat(moreThanAll).isTrue();
    assertThat(listed).isTrue();
    assertThat(moreThanTooMany).isFalse();
    assertThat(unit.of(BUCKET)).isEmpty();
  }
}
