package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who comes while a booking waits for the only connection shares its transaction, which then finds
 * out which requests are repeated. Each test has a ledger that takes all for new at first.
 */
class LedgerTurnsIT {
  private static final int PARTITIONS = 4;
  private static final BucketId FAST = new BucketId(1, 0);
  private static final BucketId DIRECT = new BucketId(2, 0);
  private static final Map<Long, Long> IN_NO_SALE = Map.of(DIRECT.skuId(), 0L);
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  @AutoClose private final TestDatabase database = TestDatabase.migrated(1, 20_000);

  private final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
  private final MySqlDirectLedger direct =
      new MySqlDirectLedger(database.database(), database.database(), database.meters());
  private final Promise<Void> looking = Promise.promise();
  private final Promise<Void> looked = Promise.promise();

  /** Only a ledger that was founded may have direct SKUs. */
  @BeforeEach
  void putSkus() {
    get(
        new MySqlLedgerIdentity(database.database())
            .orderLog(
                PARTITIONS,
                "topic",
                () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L, 2, 0L, 3, 0L))));
    MySqlSkuLedger skus = new MySqlSkuLedger(database.database(), PARTITIONS);
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    get(skus.put(new NewSku(FAST.skuId(), 10, 1, Sku.Mode.FAST, settings)));
    get(skus.put(new NewSku(DIRECT.skuId(), 10, 1, Sku.Mode.DIRECT, settings)));
  }

  @Test
  void shouldBookGrantsThatComeBeforeThereIsAConnection() {
    // given
    Future<?> held = holdTheConnection();
    List<Grant> grants = new CopyOnWriteArrayList<>(List.of(grant("ann", 1)));
    Future<Booked> booking = ledger.book(() -> grants);

    // when
    grants.add(grant("bob", 2));
    looked.complete();

    // then
    assertThat(get(held)).isEqualTo(Optional.of("held"));
    assertThat(get(booking).orders()).containsOnlyKeys(token(FAST, "ann"), token(FAST, "bob"));
  }

  @Test
  void shouldPlaceRequestsThatComeBeforeThereIsAConnection() {
    // given
    Future<?> held = holdTheConnection();
    List<Wish> wishes = new CopyOnWriteArrayList<>(List.of(wish("ann")));
    Future<List<Outcome>> placing = direct.place(IN_NO_SALE, () -> wishes);

    // when
    wishes.add(wish("bob"));
    looked.complete();

    // then
    assertThat(get(held)).isEqualTo(Optional.of("held"));
    assertThat(get(placing)).hasSize(2).allMatch(Outcome.Booked.class::isInstance);
  }

  @Test
  void shouldTellTheOrderThatExistsWhenItsRequestComesAgainAmongNewOnes() {
    // given
    List<Outcome> first = get(direct.place(IN_NO_SALE, () -> List.of(wish("ann"))));

    // when
    List<Outcome> second = get(direct.place(IN_NO_SALE, () -> List.of(wish("bob"), wish("ann"))));

    // then
    Outcome.Booked booked = (Outcome.Booked) first.get(0);
    assertThat(((Outcome.Booked) second.get(0)).fresh()).isTrue();
    assertThat(second.get(1)).isEqualTo(new Outcome.Booked(booked.order(), false));
    assertThat(get(ledger.bucket(DIRECT)).orElseThrow().held()).isEqualTo(2);
  }

  @Test
  void shouldLookForTheOrderBeforeItIsRefusedWhenAllIsSold() {
    // given
    Wish all = new Wish(token(DIRECT, "ann"), "ann", 10, null);
    List<Outcome> first = get(direct.place(IN_NO_SALE, () -> List.of(all)));

    // when
    List<Outcome> second = get(direct.place(IN_NO_SALE, () -> List.of(all, wish("bob"))));

    // then
    Outcome.Booked booked = (Outcome.Booked) first.get(0);
    assertThat(second)
        .containsExactly(
            new Outcome.Booked(booked.order(), false), new Outcome.Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  void shouldDecideNothingWhenNobodyIsLeft() {
    assertThat(get(direct.place(IN_NO_SALE, List::of))).isEmpty();
  }

  /** Until {@code looked}. */
  private Future<?> holdTheConnection() {
    Fence fence = get(ledger.takeOver(Placements.partitionOf(FAST, PARTITIONS), 0));
    Future<?> held =
        ledger.compare(
            fence,
            FAST,
            still -> {
              looking.complete();
              return looked.future().map("held");
            });
    get(looking.future());
    return held;
  }

  private static OrderToken token(BucketId bucket, String user) {
    return TOKENS.tokenFor(user, bucket, null);
  }

  private static Grant grant(String user, long seq) {
    return Grants.of(token(FAST, user), user, 1, seq, 1, 1, Long.MAX_VALUE / 2);
  }

  private static Wish wish(String user) {
    return new Wish(token(DIRECT, user), user, 1, null);
  }
}
