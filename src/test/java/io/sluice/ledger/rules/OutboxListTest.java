package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.PARTITION;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the outbox rows of a batch are combined, and taken apart again. */
class OutboxListTest {
  private static final Bucket ROOM = new Bucket(BUCKET, 10_000, 0, 0, EPOCH);

  @Test
  void shouldLeaveOneRowForEachTypeWhenABatchHasManyOrders() {
    // given
    List<Command> commands = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      commands.add(reserve(grant(i)));
      commands.add(new Command.Cancel(token(i), Reason.BUYER));
      commands.add(new Command.Confirm(token(i)));
    }
    commands.add(new Command.Malformed("?", "not JSON"));
    List<OutboxDraft> drafts = replay(snapshot(ROOM), commands).outbox();

    // when
    List<OutboxDraft> rows = OutboxList.combined(drafts);

    // then
    assertThat(rows)
        .extracting(OutboxDraft::eventType)
        .containsExactly("ORDER_BOOKED", "ORDER_CANCELED", "PAYMENT_LATE", "RELEASE", "DEAD");
    assertThat(rows).extracting(OutboxDraft::partition).containsOnly(PARTITION);
    assertThat(entries(rows)).containsExactlyInAnyOrderElementsOf(payloads(drafts));
    assertThat(new JsonArray(rows.get(0).payload())).hasSize(3);
  }

  /** A grant of an older epoch may precede the one that is booked. */
  @Test
  void shouldKeepTheOrderOfAnOrdersEventsWhenTheyAreOfSeveralTypes() {
    // given
    List<Command> commands =
        List.of(
            reserve(Grants.inEpoch(grant(1), EPOCH - 1)),
            reserve(grant(1)),
            new Command.Confirm(token(1)),
            new Command.Refund(token(1)));
    List<OutboxDraft> drafts = replay(snapshot(ROOM), commands).outbox();

    // when
    List<String> types =
        OutboxList.combined(drafts).stream()
            .filter(row -> row.kind() == OutboxKind.EVENT)
            .map(OutboxDraft::eventType)
            .toList();

    // then
    assertThat(types)
        .containsExactly(
            "STALE_GRANT_DROPPED", "ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_REFUNDED");
  }

  @Test
  void shouldBeginAnotherRowWhenOneHasItsMaximumOfEntries() {
    // given
    List<OutboxDraft> drafts = drafts(2 * OutboxList.ENTRIES_MAX + 1, "{}");

    // when
    List<OutboxDraft> rows = OutboxList.combined(drafts);

    // then
    assertThat(rows)
        .extracting(row -> OutboxList.entries(row.payload()).size())
        .containsExactly(OutboxList.ENTRIES_MAX, OutboxList.ENTRIES_MAX, 1);
  }

  @Test
  void shouldBeginAnotherRowWhenOneHasItsMaximumOfCharacters() {
    // given
    String large = "{\"why\":\"" + "x".repeat(OutboxList.CHARS_MAX / 2) + "\"}";

    // when
    List<OutboxDraft> rows = OutboxList.combined(drafts(3, large));

    // then
    assertThat(rows)
        .extracting(row -> OutboxList.entries(row.payload()).size())
        .containsExactly(2, 1);
  }

  @Test
  void shouldAddNoEntryWhenTheRowHasJustItsMaximumOfCharacters() {
    // given
    String justFull = "x".repeat(OutboxList.CHARS_MAX - "[".length());

    // when
    List<OutboxDraft> rows = OutboxList.combined(drafts(2, justFull));

    // then
    assertThat(rows).hasSize(2);
  }

  @Test
  void shouldReadARowOfAnEarlierReleaseAsItsOnlyEntry() {
    assertThat(OutboxList.entries("{\"a\":[1,\n2]}")).containsExactly("{\"a\":[1,\n2]}");
    assertThat(OutboxList.entries("[{}]")).containsExactly("{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":[1,\n2]}", "[{}]", "[{},\n{}]", "[{\"a\":[1,2]},\n{},\n{\"b\":\"\"}]"})
  void shouldCountAsManyEntriesAsItReads(String payload) {
    assertThat(OutboxList.count(payload)).isEqualTo(OutboxList.entries(payload).size());
  }

  private static List<OutboxDraft> drafts(int count, String payload) {
    return IntStream.range(0, count)
        .mapToObj(i -> new OutboxDraft(PARTITION, OutboxKind.EVENT, "ORDER_BOOKED", payload))
        .toList();
  }

  private static List<String> entries(List<OutboxDraft> rows) {
    return rows.stream().flatMap(row -> OutboxList.entries(row.payload()).stream()).toList();
  }

  private static List<String> payloads(List<OutboxDraft> drafts) {
    return drafts.stream().map(OutboxDraft::payload).toList();
  }
}
