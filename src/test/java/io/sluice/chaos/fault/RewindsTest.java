package io.sluice.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.check.BookedOrder;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.testkit.kafka.Topics.Entry;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RewindsTest {
  private static final long BACKUP_MS = 10_000;
  private static final long GONE_MS = 14_000;
  private static final String TOKEN = "7.0.a";

  private final Rewinds unit = new Rewinds();

  @BeforeEach
  void putBack() {
    unit.add(BACKUP_MS, GONE_MS);
  }

  @ParameterizedTest
  @CsvSource({
    "12000, 15000, true", // due in the window, ended after it
    "9000, 15000, true", // due before it, but not ended by then
    "9000, 9500, false", // ended before the backup, so the end is kept
    "15000, 16000, false" // not due before the ledger was put back
  })
  void shouldReopenOnlyWhatWasDueAndNotEndedBeforeTheBackup(
      long payBeforeMs, long endedMs, boolean reopened) {
    // when
    boolean found = unit.reopened(order(payBeforeMs, endedMs));

    // then
    assertThat(found).isEqualTo(reopened);
  }

  @ParameterizedTest
  @CsvSource({
    "12500, 409 payment-late, true",
    "12500, 200 CANCELED, true",
    "12500, 200 CONFIRMED, false",
    "5000, 409 payment-late, false",
    "25000, 409 payment-late, false"
  })
  void shouldExcuseOnlyAnswersAboutATimeOutThatWasForgotten(
      long atMs, String answer, boolean excused) {
    // when
    boolean found =
        unit.excuses(
            new BookedMark(atMs, 10, Ask.CONFIRM, 0, answer, TOKEN, List.of()),
            order(12_000, 15_000));

    // then
    assertThat(found).isEqualTo(excused);
  }

  @ParameterizedTest
  @CsvSource({
    "9980, false", // answered before the backup
    "9995, true", // in flight while it was taken
    "13000, true",
    "19000, true", // answered from an earlier notification
    "19001, false"
  })
  void shouldLetOnlyBeDeniedWhatWasToldOfTheLedgerThatIsGone(long atMs, boolean denied) {
    // when
    boolean found =
        unit.mayDeny(new BookedMark(atMs, 10, Ask.STATUS, 0, "200 CONFIRMED", TOKEN, List.of()));

    // then
    assertThat(found).isEqualTo(denied);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESERVE", "RESERVE_CART"})
  void shouldForgetNothingThatTheLogHas(String type) {
    // given
    unit.readLog(() -> List.of(new Entry(0, 0, null, record(type, TOKEN))));

    // when
    boolean forgot = unit.forgot(granted(12_000));

    // then
    assertThat(forgot).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"12000, true", "9000, false", "15000, false"})
  void shouldForgetOnlyWhatWasBookedPastTheLogBetweenBackupAndReturn(long atMs, boolean forgot) {
    // given
    unit.readLog(() -> List.of(new Entry(0, 0, null, record("CONFIRM", TOKEN))));

    // when
    boolean found = unit.forgot(granted(atMs));

    // then
    assertThat(found).isEqualTo(forgot);
  }

  @Test
  void shouldForgetNothingWhenNoLedgerWasPutBack() {
    // when
    boolean forgot = new Rewinds().forgot(TOKEN);

    // then
    assertThat(forgot).isFalse();
  }

  private static OrderStory granted(long atMs) {
    var story = new OrderStory(new OrderRequest(7, "alice", "k", 1));
    story.heard(new BookedMark(atMs, 10, Ask.PLACE, 0, "201 PENDING", TOKEN, List.of()));
    return story;
  }

  private static String record(String type, String token) {
    return "{\"v\":1,\"commands\":[{\"type\":\"%s\",\"order_token\":\"%s\"}]}"
        .formatted(type, token);
  }

  private static BookedOrder order(long payBeforeMs, long endedMs) {
    return new BookedOrder(
        TOKEN,
        7,
        0,
        "alice",
        1,
        1,
        1,
        "CANCELED",
        "TIMEOUT",
        2,
        payBeforeMs,
        0,
        endedMs,
        List.of(
            new Txn(1, TOKEN, 7, 0, 1, "HOLD", 4_000),
            new Txn(2, TOKEN, 7, 0, 1, "CANCEL", endedMs)),
        "",
        0);
  }
}
