package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.testkit.Placements;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a ledger handles orders and batches. */
abstract class LedgerContract extends LedgerScene {
  /** Lives as long as the ledger that is asked on it. */
  private static final Vertx VERTX = Vertx.vertx();

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldBookWhenGranted() {
    // given
    Grant grant = grant(bucket, 1, 3);

    // when
    Result.Applied applied = apply(bucket, reserve(grant));

    // then
    assertThat(applied.booked()).containsExactly(grant.token());
    assertThat(applied.outbox()).contains(OutboxKind.EVENT);
    assertThat(applied.outbox()).doesNotContain(OutboxKind.RELEASE);
    var order = order(grant.token());
    assertThat(order.status()).isEqualTo(PENDING);
    assertThat(order.reason()).isNull();
    assertThat(order.version()).isEqualTo(1);
    assertThat(order.createdAtMs()).isEqualTo(grant.grantedAtMs());
    assertThat(order.payBeforeMs()).isEqualTo(grant.payBeforeMs());
    assertThat(row(bucket).held()).isEqualTo(3);
    var event = entries(bucket, OutboxKind.EVENT).get(0);
    assertThat(event.eventType()).isEqualTo("ORDER_BOOKED");
    assertThat(OutboxPayload.order(event.payload())).contains(order);
  }

  @Test
  void shouldKeepEveryStepWhenOneBatchHoldsAWholeLife() {
    // given
    Grant grant = grant(bucket, 1, 2);
    OrderToken token = grant.token();

    // when
    apply(
        bucket,
        reserve(grant),
        new Command.Confirm(token),
        new Command.Refund(token),
        new Command.Confirm(token));

    // then
    assertThat(order(token).status()).isEqualTo(REFUNDED);
    assertThat(order(token).version()).isEqualTo(3);
    assertThat(row(bucket).free()).isEqualTo(10);
    assertThat(events(bucket)).containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_REFUNDED");
    assertThat(entries(bucket, OutboxKind.RELEASE))
        .extracting(row -> OutboxPayload.releaseOf(row.payload()))
        .containsExactly(new OutboxPayload.Release(token, 1, 1));
  }

  @Test
  void shouldMoveBookedOrdersWhenTheyEndDifferently() {
    // given
    List<Grant> grants = IntStream.rangeClosed(1, 5).mapToObj(n -> grant(bucket, n)).toList();
    List<OrderToken> tokens = grants.stream().map(Grant::token).toList();
    apply(bucket, grants.stream().map(LedgerScene::reserve).toArray(Command[]::new));

    // when
    apply(
        bucket,
        new Command.Confirm(tokens.get(0)),
        new Command.Cancel(tokens.get(1), Reason.BUYER),
        new Command.Cancel(tokens.get(2), Reason.TIMEOUT),
        new Command.Confirm(tokens.get(3)),
        new Command.Refund(tokens.get(3)),
        new Command.Cancel(tokens.get(0), Reason.BUYER));

    // then
    assertThat(tokens.stream().map(this::order))
        .extracting(order -> order.status() + "/" + order.reason() + "/" + order.version())
        .containsExactly(
            CONFIRMED + "/null/2",
            CANCELED + "/BUYER/2",
            CANCELED + "/TIMEOUT/2",
            REFUNDED + "/null/3",
            PENDING + "/null/1");
    assertThat(row(bucket).held()).isEqualTo(1);
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  /** Redis' clock is this many milliseconds ahead of the ledger's when it grants. */
  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000, 600_000, -600_000})
  void shouldLetNoOrderEndEarlyOrStayForLongerWhenTheClocksAreApart(long aheadMs) {
    // given
    long beginMs = get(ledger().nowMs());
    Grant grant = shifted(grant(bucket, 1), aheadMs);

    // when
    apply(bucket, reserve(grant));

    // then
    long endMs = get(ledger().nowMs());
    assertThat(order(grant.token()).payBeforeMs()).isBetween(beginMs + 300_000, endMs + 300_000);
    int partition = Placements.partitionOf(bucket, partitions());
    assertThat(due(partition, beginMs + 299_999)).doesNotContain(grant.token());
  }

  @Test
  void shouldFindTheDueInOrderWhenTheirTimeIsOver() {
    // given
    long nowMs = get(ledger().nowMs());
    Grant late = payBefore(grant(bucket, 1), nowMs - 10);
    Grant later = payBefore(grant(bucket, 2), nowMs - 20);
    Grant paid = payBefore(grant(bucket, 3), nowMs - 30);
    Grant early = payBefore(grant(bucket, 4), nowMs + 60_000);
    apply(bucket, reserve(late), reserve(later), reserve(paid), reserve(early));
    apply(bucket, new Command.Confirm(paid.token()));
    int partition = Placements.partitionOf(bucket, partitions());

    // when
    List<OrderToken> due = due(partition, nowMs);

    // then
    assertThat(due).containsSubsequence(later.token(), late.token());
    assertThat(due).doesNotContain(paid.token(), early.token());
  }

  @Test
  void shouldLookAtEachHoldOnceWhenThePagesAreSmall() {
    // given
    int partition = Placements.partitionOf(bucket, partitions());
    long nowMs = get(ledger().nowMs());
    List<Grant> grants =
        IntStream.rangeClosed(1, 5)
            .mapToObj(n -> payBefore(grant(bucket, n), nowMs - 20 + n / 3))
            .toList();
    apply(bucket, grants.stream().map(LedgerScene::reserve).toArray(Command[]::new));
    apply(bucket, new Command.Confirm(grants.get(1).token()));

    // when
    List<OrderToken> found = new ArrayList<>();
    DuePlace after = DuePlace.before(nowMs - 20);
    DuePage page = get(ledger().due(partition, after, nowMs, 1));
    while (!page.complete()) {
      assertThat(page.last()).isGreaterThan(after);
      found.addAll(page.tokens());
      after = page.last();
      page = get(ledger().due(partition, after, nowMs, 1));
    }

    // then
    assertThat(found)
        .containsSubsequence(
            grants.get(0).token(),
            grants.get(2).token(),
            grants.get(3).token(),
            grants.get(4).token())
        .doesNotContain(grants.get(1).token());
    assertThat(page.tokens()).isEmpty();
    assertThat(page.last()).isEqualTo(after);
  }

  /** Together they are asked with smaller pages than one alone; the second has more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4})
  void shouldFindTheDueOfEachPartitionWhenSeveralAreAskedAtOnce(int several) {
    // given
    long fromMs = get(ledger().nowMs()) + 200_000;
    DuePlace after = DuePlace.before(fromMs);
    Map<Integer, List<OrderToken>> expected = new TreeMap<>();
    for (int i = 0; i < 12; i++) {
      BucketId of = sku(1_000);
      int partition = Placements.partitionOf(of, partitions());
      int many = partition == 1 ? 150 : 2;
      long firstMs = fromMs + 100L * i;
      List<Grant> grants =
          IntStream.rangeClosed(1, many)
              .mapToObj(n -> payBefore(grant(of, n), firstMs + n / 10))
              .toList();
      apply(of, grants.stream().map(LedgerScene::reserve).toArray(Command[]::new));
      expected
          .computeIfAbsent(partition, first -> new ArrayList<>())
          .addAll(grants.stream().map(Grant::token).toList());
    }
    Set<OrderToken> ours = new HashSet<>();
    expected.values().forEach(ours::addAll);
    List<Integer> asked = IntStream.range(0, several).boxed().toList();

    // when
    List<DuePage> pages =
        atOnce(asked, partition -> ledger().due(partition, after, fromMs + 10_000, 2_000));

    // then
    for (int partition : asked) {
      DuePage page = pages.get(partition);
      assertThat(page.tokens().stream().filter(ours::contains))
          .as("of " + partition)
          .containsExactlyInAnyOrderElementsOf(expected.getOrDefault(partition, List.of()));
      assertThat(page.complete()).isTrue();
    }
  }

  @Test
  void shouldAnswerEachQuestionWhenAPartitionIsAskedTwiceAtOnce() {
    // given
    long nowMs = get(ledger().nowMs());
    Grant first = payBefore(grant(bucket, 1), nowMs - 20);
    Grant second = payBefore(grant(bucket, 2), nowMs - 10);
    apply(bucket, reserve(first), reserve(second));
    int partition = Placements.partitionOf(bucket, partitions());
    DuePlace after = DuePlace.before(nowMs - 20);

    // when
    List<DuePage> pages =
        atOnce(List.of(100, 1), limit -> ledger().due(partition, after, nowMs, limit));

    // then
    assertThat(pages.get(0).tokens())
        .containsSequence(first.token(), second.token())
        .doesNotHaveDuplicates();
    assertThat(pages.get(0).complete()).isTrue();
    assertThat(pages.get(1).tokens()).isEqualTo(pages.get(0).tokens().subList(0, 1));
    assertThat(pages.get(1).complete()).isFalse();
  }

  /** Asks as owners do that share an event loop; each must be answered on it. */
  private static List<DuePage> atOnce(
      List<Integer> questions, Function<Integer, Future<DuePage>> ask) {
    Promise<List<DuePage>> answers = Promise.promise();
    Context asking = VERTX.getOrCreateContext();
    asking.runOnContext(
        now ->
            Future.all(questions.stream().map(ask).map(answer -> on(asking, answer)).toList())
                .map(CompositeFuture::<DuePage>list)
                .onComplete(answers));
    return get(answers.future());
  }

  private static Future<DuePage> on(Context asking, Future<DuePage> answer) {
    return answer.map(
        page -> {
          assertThat(Vertx.currentContext()).isSameAs(asking);
          return page;
        });
  }

  private List<OrderToken> due(int partition, long dueMs) {
    return get(ledger().due(partition, DuePlace.FIRST, dueMs, 10_000)).tokens();
  }

  @Test
  void shouldKeepTheOrderOfCommandsWhenTheBatchIsLarge() {
    // given
    BucketId bucket = sku(1_000);
    List<Grant> grants = IntStream.rangeClosed(1, 777).mapToObj(n -> grant(bucket, n)).toList();

    // when
    Result.Applied applied =
        apply(bucket, grants.stream().map(LedgerScene::reserve).toArray(Command[]::new));

    // then
    List<OrderToken> tokens = grants.stream().map(Grant::token).toList();
    assertThat(applied.booked()).containsExactlyElementsOf(tokens);
    assertThat(get(ledger().orders(tokens))).hasSize(777);
    assertThat(outbox(bucket, OutboxKind.EVENT)).as("of at most 500 events").hasSize(2);
    List<OutboxRow> rows = entries(bucket, OutboxKind.EVENT);
    assertThat(rows).isSortedAccordingTo(Comparator.comparingLong(OutboxRow::id));
    assertThat(rows)
        .extracting(row -> OutboxPayload.key(row.payload()))
        .containsExactlyElementsOf(tokens.stream().map(OrderToken::value).toList());
    apply(bucket, tokens.stream().map(Command.Confirm::new).toArray(Command[]::new));
    assertThat(row(bucket).sold()).isEqualTo(777);
  }

  @Test
  void shouldTellTheOrdersOfItsCommandsAsTheirRowsAreThen() {
    // given
    BucketId bucket = sku(10);
    Grant paid = grant(bucket, 1);
    Grant pending = grant(bucket, 2);
    Grant booked = grant(bucket, 3);
    apply(bucket, reserve(paid), reserve(pending));

    // when
    Result.Applied applied =
        read(
            bucket,
            new Command.Confirm(paid.token(), "p"),
            new Command.RefundPart(paid.token(), "r", 1, Command.RefundPart.Step.REQUEST),
            new Command.Refund(pending.token()),
            reserve(booked));

    // then
    assertThat(applied.orders())
        .containsExactlyInAnyOrder(
            order(paid.token()), order(pending.token()), order(booked.token()));
  }

  @Test
  void shouldPageThroughAllOrdersWhenABucketIsLoaded() {
    // given
    List<Grant> grants = IntStream.rangeClosed(1, 5).mapToObj(n -> grant(bucket, n)).toList();
    apply(bucket, grants.stream().map(LedgerScene::reserve).toArray(Command[]::new));
    apply(bucket, new Command.Cancel(grants.get(0).token(), Reason.BUYER));

    // when
    List<LoadRow> rows = new ArrayList<>();
    List<LoadRow> page = get(ledger().loadRows(row(bucket), Optional.empty(), 2));
    while (!page.isEmpty()) {
      rows.addAll(page);
      page = get(ledger().loadRows(row(bucket), Optional.of(page.get(page.size() - 1)), 2));
    }

    // then
    assertThat(rows).extracting(LoadRow::grant).containsExactlyInAnyOrderElementsOf(grants);
    assertThat(rows)
        .filteredOn(row -> !row.live())
        .extracting(LoadRow::grant)
        .containsExactly(grants.get(0));
  }

  @Test
  void shouldLoadNoOrderOfANeighbourWhenItsNumberBeginsAlike() {
    // given
    Sku sku = sku(110, 11);
    BucketId first = new BucketId(sku.skuId(), 1);
    BucketId tenth = new BucketId(sku.skuId(), 10);
    Grant ours = grant(first, 1);
    apply(first, reserve(ours));
    apply(tenth, reserve(grant(tenth, 1)), reserve(grant(tenth, 2)));

    // when
    List<LoadRow> rows = get(ledger().loadRows(row(first), Optional.empty(), 100));
    List<LoadRow> after = get(ledger().loadRows(row(first), Optional.of(rows.get(0)), 100));

    // then
    assertThat(rows).containsExactly(new LoadRow(ours, ours.qty(), false));
    assertThat(after).isEmpty();
  }
}
