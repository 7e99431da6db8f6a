package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A buyer is taken out of the orders of ended sales with every name that leads to him, and stays in
 * the others.
 */
abstract class ForgetContract extends CartLedgerScene {
  private static final AtomicInteger LAST_BUYER = new AtomicInteger(50_000);
  private static final int STEPS_MAX = 1_000;
  private static final int ID = 22;

  /** Where names may stay, and for how long; docs/forgetting.md has the same. */
  private static final Map<String, String> KEPT_FOR_A_TIME =
      Map.of(
          "outbox", "2 minutes after it was sent",
          "direct_event", "7 days");

  private List<OrderToken> life = List.of();
  private final int buyer = LAST_BUYER.incrementAndGet();
  private final String reference = "reference-" + buyer;
  private final String payment = "payment-" + buyer;

  private Grant named(Grant grant) {
    return new Grant(grant.token(), grant.userId(), grant.units(), reference, null);
  }

  private OrderToken confirmed(BucketId bucket) {
    Grant grant = named(grant(bucket, buyer));
    read(bucket, reserve(grant));
    apply(bucket, new Command.Confirm(grant.token(), payment));
    return grant.token();
  }

  private BucketId in(SkuState state) {
    BucketId bucket = sku(10);
    inSale(bucket.skuId(), 0, state);
    return bucket;
  }

  private void archive(BucketId bucket) {
    archive(bucket.skuId(), 100);
  }

  private void end(BucketId bucket) {
    inSale(bucket.skuId(), 0, SkuState.ENDED);
  }

  private BucketId archived() {
    BucketId bucket = in(SkuState.OPEN);
    confirmed(bucket);
    end(bucket);
    archive(bucket);
    return bucket;
  }

  /** An ended SKU that has {@link #life}. */
  private BucketId ended() {
    BucketId bucket = in(SkuState.OPEN);
    life = life(bucket);
    end(bucket);
    return bucket;
  }

  private Forgotten ask(String userId, String pseudonym) {
    return get(skus().forget(userId, pseudonym));
  }

  private Forgotten forget(String pseudonym, int rowsMax) {
    return forget(Buyers.of(buyer), pseudonym, rowsMax);
  }

  private Forgotten forget(String userId, String pseudonym, int rowsMax) {
    Forgotten now = ask(userId, pseudonym);
    for (int step = 0; !now.done() && step < STEPS_MAX; step++) {
      get(ledger().forgetNext(rowsMax));
      now = ask(userId, "other");
    }
    assertThat(now.done()).isTrue();
    return now;
  }

  /** The booked orders of this SKU that have this buyer. */
  private List<Order> booked(BucketId bucket, String userId) {
    return get(history().page(bucket.skuId(), HoldPlace.FIRST, STEPS_MAX)).orders().stream()
        .filter(order -> order.userId().equals(userId))
        .toList();
  }

  private Order onlyBooked(BucketId bucket, String userId) {
    List<Order> booked = booked(bucket, userId);
    assertThat(booked).hasSize(1);
    return booked.get(0);
  }

  private Order onlyRejected(BucketId bucket, String userId) {
    List<OrderToken> rejected =
        get(ledger().loadRows(row(bucket), Optional.empty(), STEPS_MAX)).stream()
            .filter(LoadRow::rejected)
            .map(row -> row.grant())
            .filter(grant -> grant.userId().equals(userId))
            .map(Grant::token)
            .toList();
    assertThat(rejected).hasSize(1);
    return order(rejected.get(0));
  }

  private void areGone(OrderToken... tokens) {
    assertThat(get(ledger().orders(List.of(tokens)))).isEmpty();
  }

  private static String idOf(OrderToken token) {
    return token.value().substring(token.value().length() - ID);
  }

  /** No table has the buyer, the order, or a name that the shop has given to anything of it. */
  private void nothingLeadsTo(OrderToken... tokens) {
    List<String> names =
        new ArrayList<>(List.of("user-" + buyer + "|", reference, payment, "refund-" + buyer));
    for (OrderToken token : tokens) {
      names.add(idOf(token));
      names.add(
          HexFormat.of().withUpperCase().formatHex(Base64.getUrlDecoder().decode(idOf(token))));
    }
    everyRow()
        .forEach(
            (table, rows) -> {
              if (!KEPT_FOR_A_TIME.containsKey(table)) {
                assertThat(rows).as(table).noneMatch(row -> names.stream().anyMatch(row::contains));
              }
            });
  }

  /** The same order under other names. */
  private static void isSame(Order now, Order before) {
    assertThat(now)
        .usingRecursiveComparison()
        .ignoringFields(
            "grant.token",
            "grant.userId",
            "grant.reference",
            "life.notes.paymentRef",
            "life.notes.payments",
            "life.notes.refunds")
        .isEqualTo(before);
    assertThat(now.reference()).isNull();
    assertThat(now.notes().payments()).hasSameSizeAs(before.notes().payments());
    assertThat(now.notes().refunds()).hasSameSizeAs(before.notes().refunds());
    assertThat(now.notes().requestedQty()).isEqualTo(before.notes().requestedQty());
  }

  @Test
  void shouldTakeTheBuyerOutOfOrdersOfEndedSalesAlone() {
    // given
    BucketId ended = in(SkuState.OPEN);
    OrderToken sold = confirmed(ended);
    Grant others = grant(ended, 1);
    read(ended, reserve(others));
    apply(ended, new Command.Confirm(others.token(), null));
    Grant tooMany = grant(ended, buyer + 1_000_000, 100);
    read(ended, reserve(tooMany));
    end(ended);
    OrderToken running = confirmed(in(SkuState.CLOSED));
    BucketId archive = archived();
    OrderToken archived = grant(archive, buyer).token();
    Order before = order(sold);

    // when
    Forgotten forgotten = forget("nobody-1", 3);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-1", 2, 1, true));
    areGone(sold, archived);
    isSame(onlyBooked(ended, "nobody-1"), before);
    assertThat(onlyBooked(archive, "nobody-1").archived()).isTrue();
    assertThat(order(running).userId()).isEqualTo(Buyers.of(buyer));
    assertThat(order(running).reference()).isEqualTo(reference);
    assertThat(order(running).notes().paymentRef()).isEqualTo(payment);
    assertThat(order(others.token()).userId()).isEqualTo(Buyers.of(1));
    assertThat(order(tooMany.token()).userId()).isEqualTo(Buyers.of(buyer + 1_000_000));
  }

  /** Orders of one buyer in every state, with all that can be told of them. */
  private List<OrderToken> life(BucketId bucket) {
    List<OrderToken> tokens = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      Grant grant = grantOfSale(bucket, buyer, n, 1);
      Grant own = Grants.with(grant, 3, 3L * (buyer + n), 0, reference);
      read(bucket, reserve(own));
      tokens.add(own.token());
    }
    Grant tooMany = grant(bucket, buyer, 100);
    read(bucket, reserve(tooMany));
    tokens.add(tooMany.token());
    apply(
        bucket,
        new Command.Confirm(tokens.get(0), payment),
        new Command.Confirm(tokens.get(0), payment + "-again"),
        new Command.RefundPart(tokens.get(0), "refund-" + buyer, 1, Step.REQUEST),
        new Command.RefundPart(tokens.get(0), "refund-" + buyer, 0, Step.COMPLETE),
        new Command.RefundPart(tokens.get(0), "refund-" + buyer + "-2", 1, Step.REQUEST),
        new Command.RefundPart(tokens.get(0), "refund-" + buyer + "-2", 0, Step.REJECT),
        new Command.Cancel(tokens.get(1), Reason.BUYER),
        new Command.Confirm(tokens.get(1), payment),
        new Command.Confirm(tokens.get(1), payment + "-again"),
        new Command.Confirm(tokens.get(2), null),
        new Command.Confirm(tokens.get(2), payment),
        new Command.Refund(tokens.get(2)),
        new Command.Confirm(tooMany.token(), payment),
        new Command.Confirm(tooMany.token(), payment + "-again"));
    return tokens;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLeaveNoNameOfAnOrderInAnyTable(boolean archived) {
    // given
    BucketId bucket = ended();
    if (archived) {
      archive(bucket);
    }
    List<Order> before = life.stream().map(this::order).toList();

    // when
    Forgotten forgotten = forget("nobody-2", archived ? 2 : 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-2", 4, 0, true));
    areGone(life.toArray(OrderToken[]::new));
    nothingLeadsTo(life.toArray(OrderToken[]::new));
    List<Order> now = booked(bucket, "nobody-2");
    assertThat(now).extracting(Order::status).containsExactly(CONFIRMED, CANCELED, REFUNDED);
    for (int n = 0; n < now.size(); n++) {
      isSame(now.get(n), before.get(n));
    }
    if (!archived) {
      isSame(onlyRejected(bucket, "nobody-2"), before.get(3));
    }
  }

  @Test
  void shouldLeaveAnOrderThatHasNotEnded() {
    // given
    BucketId ended = in(SkuState.OPEN);
    Grant pending = grant(ended, buyer);
    read(ended, reserve(pending));
    end(ended);

    // when
    Forgotten forgotten = forget("nobody-4", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-4", 0, 1, true));
    assertThat(order(pending.token()).userId()).isEqualTo(Buyers.of(buyer));
  }

  @Test
  void shouldFindNothingMoreWhenRepeated() {
    // given
    BucketId archive = archived();
    forget("nobody-5", 1_000);

    // when
    Forgotten again = forget("nobody-6", 1_000);

    // then
    assertThat(again).isEqualTo(new Forgotten("nobody-6", 0, 0, true));
    assertThat(booked(archive, "nobody-5")).hasSize(1);
  }

  /** So it can be done for those of whom a release before has replaced the id alone. */
  @Test
  void shouldForgetAPseudonymAsAnyId() {
    // given
    BucketId archive = archived();
    forget("nobody-7", 1_000);
    OrderToken before = onlyBooked(archive, "nobody-7").token();

    // when
    Forgotten again = forget("nobody-7", "nobody-8", 1_000);

    // then
    assertThat(again).isEqualTo(new Forgotten("nobody-8", 1, 0, true));
    assertThat(booked(archive, "nobody-8")).hasSize(1);
    areGone(before);
  }

  @Test
  void shouldTakeTheBuyerOutOfOrdersOfAnEarlierSaleAlone() {
    // given
    BucketId bucket = sku(10);
    Grant earlier = grantOfSale(bucket, buyer, 1, 1);
    read(bucket, reserve(earlier));
    apply(bucket, new Command.Confirm(earlier.token(), null));
    get(ledger().raiseEpoch(own(bucket), bucket, 1));
    inSale(bucket.skuId(), 2, SkuState.OPEN);
    Grant later = grantOfSale(bucket, buyer, 2, row(bucket).epoch());
    read(bucket, reserve(later));
    apply(bucket, new Command.Confirm(later.token(), null));

    // when
    Forgotten forgotten = forget("nobody-9", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-9", 1, 1, true));
    areGone(earlier.token());
    assertThat(onlyBooked(bucket, "nobody-9").saleNo()).isEqualTo(1);
    assertThat(order(later.token()).userId()).isEqualTo(Buyers.of(buyer));
  }

  // ---- commands that come afterwards

  @Test
  void shouldStillTellAFurtherPaymentFromTheFirst() {
    // given
    BucketId bucket = ended();
    forget("nobody-10", 1_000);
    List<Order> before = booked(bucket, "nobody-10");
    int events = events(bucket).size();

    // when
    for (Order order : before) {
      String known = order.notes().paymentRef();
      apply(
          bucket,
          new Command.Confirm(order.token(), known),
          new Command.Confirm(order.token(), "another"),
          new Command.Confirm(order.token(), "another"));
    }

    // then
    assertThat(life).hasSize(4);
    assertThat(events(bucket).subList(events, events(bucket).size()))
        .hasSize(3)
        .containsOnly("PAYMENT_DOUBLE");
    for (Order order : before) {
      Order now = order(order.token());
      assertThat(now.notes().paymentRef()).isEqualTo(order.notes().paymentRef());
      assertThat(now.notes().payments()).hasSize(order.notes().payments().size() + 1);
    }
  }

  /** The provider works on it, and tells its end under the token that the shop has. */
  @Test
  void shouldLeaveAnOrderUntilItsRequestedRefundHasEnded() {
    // given
    BucketId bucket = in(SkuState.OPEN);
    OrderToken token = life(bucket).get(0);
    apply(bucket, new Command.RefundPart(token, "open", 1, Step.REQUEST));
    end(bucket);

    // when
    Forgotten forgotten = forget("nobody-11", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-11", 3, 1, true));
    assertThat(order(token).userId()).isEqualTo(Buyers.of(buyer));

    // when
    apply(bucket, new Command.RefundPart(token, "open", 0, Step.COMPLETE));
    Forgotten rest = forget("nobody-11b", 1_000);

    // then
    assertThat(rest).isEqualTo(new Forgotten("nobody-11b", 1, 0, true));
    assertThat(onlyBooked(bucket, "nobody-11b").notes().refundedQty()).isEqualTo(2);
    nothingLeadsTo(token);
  }

  /** No unit moves in the archive, so that refund never ends. */
  @Test
  void shouldForgetAnArchivedOrderWhoseRefundIsRequested() {
    // given
    BucketId bucket = in(SkuState.OPEN);
    OrderToken token = confirmed(bucket);
    apply(bucket, new Command.RefundPart(token, "open", 1, Step.REQUEST));
    end(bucket);
    archive(bucket);

    // when
    Forgotten forgotten = forget("nobody-17", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-17", 1, 0, true));
    nothingLeadsTo(token);
  }

  @Test
  void shouldKnowNothingOfTheOldToken() {
    // given
    BucketId bucket = ended();
    forget("nobody-12", 1_000);
    List<String> events = events(bucket);

    // when
    for (OrderToken token : life) {
      apply(
          bucket,
          new Command.Confirm(token, "late"),
          new Command.Cancel(token, Reason.BUYER),
          new Command.Refund(token));
    }

    // then
    areGone(life.toArray(OrderToken[]::new));
    assertThat(events(bucket)).isEqualTo(events);
  }

  // ---- orders of several SKUs

  private Grant namedCart(List<BucketId> buckets, int... units) {
    Grant lead = cart(buyer, buckets, units);
    Grant own =
        Grants.ofLead(
            Objects.requireNonNull(lead.cart()),
            lead.token(),
            lead.userId(),
            lead.grantedAtMs(),
            lead.payBeforeMs(),
            reference);
    log(buckets.get(0), reserve(own));
    tell(
        buckets.get(0),
        new Command.Confirm(own.token(), payment),
        new Command.Confirm(own.token(), payment + "-again"));
    return own;
  }

  private static long saleNo(BucketId bucket, Grant lead) {
    return lead.lines().stream()
        .filter(line -> line.token().bucketId().equals(bucket))
        .findFirst()
        .orElseThrow()
        .saleNo();
  }

  @Test
  void shouldGiveAllLinesOfACartTheSameToken() {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    Grant lead = namedCart(buckets, 1, 2, 1);
    Order before = seen(lead.token());
    buckets.forEach(bucket -> inSale(bucket.skuId(), saleNo(bucket, lead), SkuState.ENDED));
    archive(buckets.get(1));

    // when
    Forgotten forgotten = forget("nobody-13", 1);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-13", 3, 0, true));
    areGone(lead.tokens().toArray(OrderToken[]::new));
    nothingLeadsTo(lead.token());
    OrderToken now = onlyBooked(buckets.get(0), "nobody-13").token();
    for (BucketId bucket : buckets) {
      assertThat(onlyBooked(bucket, "nobody-13").token()).isEqualTo(now);
      assertThat(get(ledger().orders(List.of(now.in(bucket))))).containsKey(now.in(bucket));
    }
    assertThat(seen(now).cart()).isEqualTo(before.cart());
  }

  @Test
  void shouldLeaveACartAsItIsWhileOneOfItsLinesMaySell() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = namedCart(buckets, 1, 2);
    inSale(buckets.get(0).skuId(), saleNo(buckets.get(0), lead), SkuState.ENDED);
    archive(buckets.get(0));

    // when
    Forgotten forgotten = forget("nobody-14", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-14", 0, 2, true));
    assertThat(seen(lead.token()).userId()).isEqualTo(Buyers.of(buyer));
    assertThat(seen(lead.token()).reference()).isEqualTo(reference);
  }

  @Test
  void shouldLeaveACartAsItIsWhileARefundOfOneOfItsLinesIsRequested() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = namedCart(buckets, 1, 2);
    tell(
        buckets.get(0),
        new Command.RefundPart(lead.token(), "open", 1, Step.REQUEST, buckets.get(1).skuId()));
    buckets.forEach(bucket -> inSale(bucket.skuId(), saleNo(bucket, lead), SkuState.ENDED));

    // when
    Forgotten forgotten = forget("nobody-18", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-18", 0, 2, true));
    assertThat(seen(lead.token()).userId()).isEqualTo(Buyers.of(buyer));
  }

  // ---- units that came back

  private BucketId returned() {
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant sold = sold(bucket, buyer, 1);
    end(wanted.skuId());
    again(wanted);
    raise(bucket);
    apply(bucket, new Command.Refund(sold.token()));
    return bucket;
  }

  @Test
  void shouldTakeTheTokenOutOfTheRowsOfUnitsThatCameBack() {
    // given
    BucketId bucket = returned();
    OrderToken token = grantOfSale(bucket, buyer, 1, 1).token();

    // when
    Forgotten forgotten = forget("nobody-15", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-15", 1, 0, true));
    areGone(token);
    nothingLeadsTo(token);
    assertThat(audit(bucket.skuId()).agrees()).isTrue();
  }

  @Test
  void shouldNotDisturbAnAuditInSlices() {
    // given
    BucketId bucket = returned();
    Mark mark = get(ledger().mark(bucket.skuId())).orElseThrow();
    TxnSums first = get(ledger().sum(mark, TxnSums.NONE, 1));
    TxnSums sums = get(ledger().sum(mark, first, 1));

    // when
    forget("nobody-16", 1_000);

    // then
    for (int slice = 0; !sums.complete() && slice < STEPS_MAX; slice++) {
      sums = get(ledger().sum(mark, sums, 1));
      if (sums.equals(TxnSums.NONE)) {
        mark = get(ledger().mark(bucket.skuId())).orElseThrow();
      }
    }
    assertThat(mark.against(sums).agrees()).as("%s %s", mark, sums).isTrue();
  }

  // ---- a job that is cut off

  @Test
  void shouldGoOnWhereItWasCutOffWhenOrdersWereArchivedMeanwhile() {
    // given
    BucketId first = in(SkuState.OPEN);
    BucketId second = in(SkuState.OPEN);
    OrderToken one = confirmed(first);
    OrderToken two = confirmed(second);
    end(first);
    end(second);
    ask(Buyers.of(buyer), "nobody-17");
    get(ledger().forgetNext(1));
    archive(first);
    get(ledger().forgetNext(1));
    archive(second);

    // when
    Forgotten forgotten = forget("other", 1);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-17", 2, 0, true));
    areGone(one, two);
    nothingLeadsTo(one, two);
  }

  // ---- SKUs that sell in the ledger alone

  @Test
  void shouldLeaveNoNameOfAnOrderThatWasSoldInTheLedgerAlone() {
    // given
    Sku sku = put(new NewSku(newSkuId(), 5, 1, Sku.Mode.DIRECT, SETTINGS));
    BucketId bucket = new BucketId(sku.skuId(), 0);
    OrderToken token = DirectScene.TOKENS.tokenFor(Buyers.of(buyer), bucket, "");
    Wish wish = new Wish(token, Buyers.of(buyer), 1, reference);
    get(direct().place(Map.of(sku.skuId(), sku.saleNo()), () -> List.of(wish)));
    get(direct().apply(List.of(new Command.Confirm(token, payment))));
    change(sku.skuId(), StateChange.END);
    for (int turn = 0; turn < 10 && get(direct().endBucket(bucket, 1)); turn++) {
      assertThat(turn).isLessThan(9);
    }
    assertThat(known(sku.skuId()).state()).isEqualTo(SkuState.ENDED);

    // when
    Forgotten forgotten = forget("nobody-18", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-18", 1, 0, true));
    areGone(token);
    nothingLeadsTo(token);
  }
}
