package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Batches;
import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The two kinds of failure of a call to the ledger: unprocessable data, and an unavailable
 * database.
 */
class LedgerFailuresIT {
  private static final BucketId BUCKET = new BucketId(1001, 0);
  private static final int PARTITIONS = 1;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, 2_000);

  private static final MySqlLedger unit = new MySqlLedger(database.database(), database.meters());

  @BeforeAll
  static void putSku() {
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    get(
        new MySqlSkuLedger(database.database(), PARTITIONS)
            .put(new NewSku(BUCKET.skuId(), 10, 1, Sku.Mode.FAST, settings)));
  }

  @Test
  void shouldBeUnprocessableWhenTheDatabaseRefusesTheData() {
    // given
    Correction tooLong = new Correction("x".repeat(300), "a", "b", "c", 0);

    // when
    Throwable failure = catchThrowable(() -> get(unit.correct(tooLong)));

    // then
    assertThat(failure).isInstanceOf(UnprocessableException.class);
    assertThat(get(unit.corrections(10))).isEmpty();
  }

  @Test
  void shouldFindTheCulpritWithoutWritingWhenRehearsed() {
    // given
    Fence fence = get(unit.takeOver(0, 0));
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    OrderToken booked = OrderToken.parse("1001.0.cccccccccccccccccccccA").orElseThrow();
    get(
        Batches.apply(
            unit, Step.check(fence), List.of(new Command.Reserve(grant(booked, 3, 3), null))));
    long heldBefore = held();
    held(0);
    Command culprit = new Command.Cancel(booked, Reason.BUYER);
    Command innocent = reserve("1001.0.aaaaaaaaaaaaaaaaaaaaaA", 1);

    // when
    Throwable together =
        catchThrowable(() -> get(Batches.apply(unit, step, List.of(innocent, culprit))));
    Throwable alone = catchThrowable(() -> get(unit.rehearse(step, List.of(culprit))));
    get(unit.rehearse(step, List.of(innocent)));
    held(heldBefore);

    // then
    assertThat(together).isInstanceOf(UnprocessableException.class);
    assertThat(alone).isInstanceOf(UnprocessableException.class);
    assertThat(get(unit.fences()).get(0)).isEqualTo(fence);
    assertThat(held()).isEqualTo(heldBefore);
    get(Batches.apply(unit, Step.check(fence), List.of(culprit)));
    assertThat(held()).isEqualTo(heldBefore - 3);
  }

  /** Partitions that are asked at the same time are read together; no server takes this limit. */
  @Test
  void shouldFindTheDueOfAPartitionWhenThatOfAnotherCannotBeRead() {
    // given
    Vertx vertx = Vertx.vertx();
    Promise<Future<DuePage>> sound = Promise.promise();
    Promise<Future<DuePage>> broken = Promise.promise();

    // when
    vertx.runOnContext(
        now -> {
          sound.complete(unit.due(0, DuePlace.FIRST, 1_000, 100));
          broken.complete(unit.due(1, DuePlace.FIRST, 1_000, -1));
        });

    // then
    assertThat(get(get(sound.future())).complete()).isTrue();
    assertThat(catchThrowable(() -> get(get(broken.future())))).isNotNull();
    get(vertx.close());
  }

  @Test
  void shouldBeUnavailableAndRepeatableWhenTheServerHangs() {
    var server = Backends.shared().mysql();

    // given
    Fence fence = get(unit.takeOver(0, 0));
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    List<Command> commands = List.of(reserve("1001.0.bbbbbbbbbbbbbbbbbbbbbA", 2));

    // when
    Throwable hung =
        server.whileItHangs(() -> catchThrowable(() -> get(Batches.apply(unit, step, commands))));

    // then
    assertThat(hung).isInstanceOf(LedgerUnavailableException.class);
    var again =
        get(
            Batches.apply(unit, step, commands)
                .recover(once -> Batches.apply(unit, step, commands))
                .recover(twice -> Batches.apply(unit, step, commands)));
    assertThat(((Result.Applied) again).booked()).hasSize(1);
    assertThat(held()).isEqualTo(1);
  }

  /** As one that a connection whose host has vanished still holds. */
  @Test
  void shouldMarkWhatOthersHaveSentWhenSomebodyHoldsARow() {
    // given
    OutboxRow held = event("1001.0.dddddddddddddddddddddA", 11);
    OutboxRow free = event("1001.0.eeeeeeeeeeeeeeeeeeeeeA", 12);
    MySQLConnection holder = database.connect();
    get(holder.begin());
    get(holder.query("SELECT id FROM outbox WHERE id = " + held.id() + " FOR UPDATE").execute());

    // when
    Future<Void> first = unit.sent(List.of(free));
    Future<Void> stuck = unit.sent(List.of(held));
    Future<Void> beside = unit.sent(List.of(free));
    get(Future.join(first, stuck, beside).otherwiseEmpty());
    get(holder.close());

    // then
    assertThat(stuck.failed()).isTrue();
    assertThat(beside.succeeded()).isTrue();
  }

  /** The row of the event that this order is booked. */
  private static OutboxRow event(String token, long seq) {
    Fence fence = get(unit.takeOver(0, 0));
    get(Batches.apply(unit, Step.check(fence), List.of(reserve(token, seq))));
    List<OutboxRow> rows = get(unit.pending(0, OutboxKind.EVENT, 0, 100));
    return rows.get(rows.size() - 1);
  }

  private static long held() {
    return get(unit.bucket(BUCKET)).orElseThrow().held();
  }

  /** Sets the counter, as only a defect could, so that the database refuses to lower it. */
  private static void held(long units) {
    database.sql("UPDATE inventory_bucket SET held = " + units);
  }

  private static Command reserve(String token, long seq) {
    return new Command.Reserve(grant(OrderToken.parse(token).orElseThrow(), 1, seq), null);
  }

  private static Grant grant(OrderToken token, int qty, long seq) {
    return Grants.of(token, "user", qty, seq, 1, 1_000, 2_000);
  }
}
