package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.DirectLedger.EventNumbers;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A reader of numbered events misses none, whatever the order in which the transactions commit that
 * have written them.
 */
class NumberedEventsIT {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(8, 20_000);

  private final MySqlDirectLedger ledger =
      new MySqlDirectLedger(database.database(), database.database(), database.meters());
  private final List<String> read = new ArrayList<>();
  private long after;

  @BeforeEach
  void beginAtTheEnd() {
    readOn();
    read.clear();
  }

  /** As a listener does: from the last number on. */
  private void readOn() {
    List<NumberedEvent> page = get(ledger.events(after, 500));
    for (NumberedEvent event : page) {
      assertThat(event.number()).isGreaterThan(after);
      after = event.number();
      read.add(event.payload());
    }
  }

  private static String insert(String name) {
    return "INSERT INTO outbox (partition_id, kind, event_type, payload, created_at)"
        + " VALUES (-1, 'EVENT', 'ORDER_BOOKED', '%s', 1)".formatted(event(name));
  }

  private static String event(String name) {
    return "{\"type\":\"" + name + "\"}";
  }

  /** For a statement that should wait to be where it waits. */
  private static void giveItTime() {
    for (int i = 0; i < 10; i++) {
      database.sql("SELECT 1");
    }
  }

  @Test
  void shouldReachAReaderWhoHasSeenLaterOnesWhenATransactionCommitsLate() {
    // given
    MySQLConnection slow = database.connect();
    get(slow.query("BEGIN").execute());
    get(slow.query(insert("EARLY")).execute());
    database.sql(insert("LATE"));
    get(ledger.numberEvents(100));
    readOn();
    List<String> first = List.copyOf(read);

    // when
    get(slow.query("COMMIT").execute());
    get(slow.close());
    get(ledger.numberEvents(100));
    readOn();

    // then
    assertThat(first).containsExactly(event("LATE"));
    assertThat(read).containsExactly(event("LATE"), event("EARLY"));
  }

  @Test
  void shouldGiveNoHigherNumberBeforeALowerOneIsCommitted() {
    // given
    MySQLConnection numbering = database.connect();
    get(numbering.query("BEGIN").execute());
    get(
        numbering
            .query("SELECT value FROM direct_duty WHERE duty = 'EVENTS' FOR UPDATE")
            .execute());
    database.sql(insert("WAITS"));

    // when
    Future<Boolean> second = ledger.numberEvents(100);
    giveItTime();
    boolean early = second.isComplete();
    get(numbering.query("COMMIT").execute());
    get(numbering.close());
    get(second);
    readOn();

    // then
    assertThat(early).isFalse();
    assertThat(read).containsExactly(event("WAITS"));
  }

  @Test
  void shouldTellWhichNumbersAreKeptWhenOldOnesAreDeleted() {
    // given
    for (int i = 0; i < 3; i++) {
      database.sql(insert("K" + i));
    }
    get(ledger.numberEvents(100));
    readOn();
    database.sql("UPDATE direct_event SET numbered_at = 7 WHERE event_no = " + after);
    EventNumbers before = get(ledger.eventNumbers());

    // when
    database.sql("DELETE FROM direct_event WHERE event_no < " + after);
    EventNumbers last = get(ledger.eventNumbers());
    database.sql("DELETE FROM direct_event");
    EventNumbers none = get(ledger.eventNumbers());

    // then
    assertThat(before.first()).isLessThanOrEqualTo(after - 2);
    assertThat(last).isEqualTo(new EventNumbers(after, 7, after));
    assertThat(none).isEqualTo(new EventNumbers(0, 0, after));
  }

  @Test
  void shouldNumberEachEventOnceWhenSeveralInstancesNumberAtOnce() {
    // given
    for (int i = 0; i < 40; i++) {
      database.sql(insert("E" + i));
    }

    // when
    List<Future<Boolean>> passes = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      passes.add(ledger.numberEvents(3));
    }
    passes.forEach(TestDatabase::get);
    readOn();

    // then
    assertThat(read).hasSize(40).doesNotHaveDuplicates();
  }
}
