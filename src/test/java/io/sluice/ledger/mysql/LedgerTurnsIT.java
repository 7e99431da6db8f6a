package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.mysql.RealLedger.Comparison;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Who comes while a booking waits for the only connection shares its transaction, which then finds
 * out which requests are repeated. Each test has a ledger that takes all for new at first.
 */
class LedgerTurnsIT {
  @AutoClose private static final RealLedger real = new RealLedger(1).founded();

  private final BucketId fast = real.put(RealLedger.newSkuId(), 10, 1);
  private final BucketId directly = real.put(RealLedger.newSkuId(), 10, 1, Sku.Mode.DIRECT);
  private final Map<Long, Long> inNoSale = Map.of(directly.skuId(), 0L);
  private final MySqlLedger ledger =
      new MySqlLedger(real.database.database(), real.database.meters());
  private final MySqlDirectLedger direct =
      new MySqlDirectLedger(
          real.database.database(), real.database.database(), real.database.meters());

  @Test
  void shouldBookGrantsThatComeBeforeThereIsAConnection() {
    // given
    Comparison<String> held =
        real.compare(get(real.takeOver(fast)), fast, still -> Future.succeededFuture("held"));
    List<Grant> grants = new CopyOnWriteArrayList<>(List.of(RealLedger.grant(fast, "ann", 1)));
    Future<Booked> booking = ledger.book(() -> grants);

    // when
    grants.add(RealLedger.grant(fast, "bob", 2));

    // then
    assertThat(held.letGo()).isEqualTo("held");
    assertThat(get(booking).orders())
        .containsOnlyKeys(RealLedger.token(fast, "ann"), RealLedger.token(fast, "bob"));
  }

  @Test
  void shouldPlaceRequestsThatComeBeforeThereIsAConnection() {
    // given
    Comparison<String> held =
        real.compare(get(real.takeOver(fast)), fast, still -> Future.succeededFuture("held"));
    List<Wish> wishes = new CopyOnWriteArrayList<>(List.of(wish("ann")));
    Future<List<Outcome>> placing = direct.place(inNoSale, () -> wishes);

    // when
    wishes.add(wish("bob"));

    // then
    assertThat(held.letGo()).isEqualTo("held");
    assertThat(get(placing)).hasSize(2).allMatch(Outcome.Booked.class::isInstance);
  }

  @Test
  void shouldTellTheOrderThatExistsWhenItsRequestComesAgainAmongNewOnes() {
    // given
    List<Outcome> first = get(direct.place(inNoSale, () -> List.of(wish("ann"))));

    // when
    List<Outcome> second = get(direct.place(inNoSale, () -> List.of(wish("bob"), wish("ann"))));

    // then
    Outcome.Booked booked = (Outcome.Booked) first.get(0);
    assertThat(((Outcome.Booked) second.get(0)).fresh()).isTrue();
    assertThat(second.get(1)).isEqualTo(new Outcome.Booked(booked.order(), false));
    assertThat(real.row(directly).held()).isEqualTo(2);
  }

  @Test
  void shouldLookForTheOrderBeforeItIsRefusedWhenAllIsSold() {
    // given
    Wish all = new Wish(RealLedger.token(directly, "ann"), "ann", 10, null);
    List<Outcome> first = get(direct.place(inNoSale, () -> List.of(all)));

    // when
    List<Outcome> second = get(direct.place(inNoSale, () -> List.of(all, wish("bob"))));

    // then
    Outcome.Booked booked = (Outcome.Booked) first.get(0);
    assertThat(second)
        .containsExactly(
            new Outcome.Booked(booked.order(), false), new Outcome.Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  void shouldDecideNothingWhenNobodyIsLeft() {
    assertThat(get(direct.place(inNoSale, List::of))).isEmpty();
  }

  private Wish wish(String user) {
    return new Wish(RealLedger.token(directly, user), user, 1, null);
  }
}
