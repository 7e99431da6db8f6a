package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.InMemoryOrderLog.Fate;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import io.sluice.owner.Ownership.FenceLostException;
import io.sluice.stock.InMemoryStock;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Records in a partition that has not their bucket: an owner sends their commands on. */
class ForeignBucketsTest {
  private static final BucketId BUCKET = new BucketId(1001, 0);
  private static final int HOME = Placements.partitionOf(BUCKET, 2);
  private static final int WRONG = 1 - HOME;
  private static final BucketId OTHER = otherBucket();

  private final ManualClock clock = new ManualClock();
  private final InMemoryLedger ledger = new InMemoryLedger(2, clock);
  private final InMemoryOrderLog log = new InMemoryOrderLog();
  private final StoreCalls calls = new StoreCalls();
  private final OrderTokens tokens = new OrderTokens(new byte[16]);

  ForeignBucketsTest() {
    for (BucketId bucket : List.of(BUCKET, OTHER)) {
      SkuSettings settings = new SkuSettings(300, 0, 0, 0);
      ledger.put(new NewSku(bucket.skuId(), 1_000, 1, Sku.Mode.FAST, settings));
    }
  }

  @Test
  void shouldAppendACommandWhereItsBucketIsBeforeTheOffsetIsCommitted() {
    // given
    OwnedLedger unit = owner(WRONG);
    Command foreign = reserve(BUCKET, 1);
    Command own = reserve(OTHER, 1);

    // when
    Future<Result.Applied> applied = unit.advance(1, List.of(foreign, own));

    // then
    assertThat(applied.result().booked()).containsExactly(own.token());
    assertThat(sentOn(HOME)).containsExactly(List.of(foreign));
    assertThat(sentOn(WRONG)).isEmpty();
    assertThat(nextOffset(WRONG)).isEqualTo(1);
    assertThat(isBooked(foreign)).isFalse();
    assertThat(ledger.pending(WRONG, OutboxKind.DEAD, 0, 10).result()).isEmpty();
  }

  @Test
  void shouldKeepTheOrderOfCommandsWhenTheyAreSentOn() {
    // given
    List<Command> commands = new ArrayList<>();
    IntStream.rangeClosed(1, 100)
        .mapToObj(number -> reserve(BUCKET, number))
        .forEach(
            reserve -> {
              commands.add(reserve);
              commands.add(new Command.Confirm(token(reserve)));
              commands.add(new Command.Refund(token(reserve)));
            });

    // when
    owner(WRONG).advance(1, commands);

    // then
    assertThat(sentOn(HOME)).hasSize(3).allMatch(record -> record.size() <= 128);
    assertThat(sentOn(HOME).stream().flatMap(List::stream)).containsExactlyElementsOf(commands);
  }

  @Test
  void shouldCommitNothingWhenItCannotBeSentOn() {
    // given
    OwnedLedger unit = owner(WRONG);
    List<Command> commands = List.of(reserve(BUCKET, 1), reserve(OTHER, 1));
    log.next(Fate.REFUSED);

    // when
    Future<Result.Applied> failed = unit.advance(1, commands);
    long after = nextOffset(WRONG);
    boolean booked = isBooked(commands.get(1));
    Future<Result.Applied> again = unit.advance(1, commands);

    // then
    assertThat(failed.failed()).isTrue();
    assertThat(after).isZero();
    assertThat(booked).isFalse();
    assertThat(again.succeeded()).isTrue();
    assertThat(sentOn(HOME)).hasSize(1);
  }

  /** A partition without a leader must not fill the others with copies for as long as it is out. */
  @Test
  void shouldAppendOnceWhatIsInTheLogWhenAnotherAppendIsRetried() {
    // given
    OwnedLedger unit = owner(WRONG);
    List<Command> commands = new ArrayList<>();
    IntStream.rangeClosed(1, OwnedLedger.ForeignBuckets.RECORD_COMMANDS_MAX)
        .mapToObj(number -> reserve(BUCKET, number))
        .forEach(commands::add);
    // Equal to one that was sent on, and yet another command.
    commands.add(reserve(BUCKET, 1));
    log.next(Fate.ACKED, Fate.REFUSED, Fate.REFUSED);
    unit.advance(1, commands);

    // when
    Future<Result.Applied> second = unit.advance(1, commands);
    Future<Result.Applied> third = unit.advance(1, commands);

    // then
    assertThat(second.failed()).isTrue();
    assertThat(third.succeeded()).isTrue();
    assertThat(sentOn(HOME).stream().flatMap(List::stream)).containsExactlyElementsOf(commands);
  }

  @Test
  void shouldAppendTheSameAgainWhenItComesAtALaterOffset() {
    // given
    OwnedLedger unit = owner(WRONG);
    List<Command> commands = List.of(reserve(BUCKET, 1));
    unit.advance(1, commands);

    // when
    unit.advance(2, commands);

    // then
    assertThat(sentOn(HOME)).containsExactly(commands, commands);
  }

  @Test
  void shouldEndAnOrderOnceWhenItsOwnerDiesBetweenAppendAndCommit() {
    // given
    Command reserve = reserve(BUCKET, 1);
    Command confirm = new Command.Confirm(token(reserve));
    Command refund = new Command.Refund(token(reserve));
    List<Command> commands = List.of(reserve, confirm, refund);
    OwnedLedger dying = owner(WRONG);
    log.next(Fate.ACK_LOST);
    dying.advance(1, commands);

    // when
    owner(WRONG).advance(1, commands);
    OwnedLedger home = owner(HOME);
    sentOn(HOME).forEach(record -> home.advance(nextOffset(HOME) + 1, record));

    // then
    assertThat(sentOn(HOME)).containsExactly(commands, commands);
    assertThat(order(reserve).status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(order(reserve).version()).isEqualTo(3);
    assertThat(ledger.bucket(BUCKET).result().orElseThrow().free()).isEqualTo(1_000);
  }

  @Test
  void shouldSendNothingOnWhenTheCommitHadHappened() {
    // given
    OwnedLedger unit = owner(WRONG);
    List<Command> commands = List.of(reserve(BUCKET, 1));
    unit.advance(1, commands);
    Fence begin = new Fence(WRONG, ledger.fences().result().get(WRONG).term(), 0);

    // when
    Result again = Batches.apply(ledger, Step.advance(begin, 1), commands).result();

    // then
    assertThat(again).isInstanceOf(Result.Applied.class);
    assertThat(sentOn(HOME)).hasSize(1);
  }

  @Test
  void shouldLeaveARejectionToTheOwnerOfTheBucket() {
    // given
    Grant grant = ((Command.Reserve) reserve(BUCKET, 1)).grant();

    // when
    Future<Result.Applied> applied =
        owner(WRONG).apply(List.of(new Command.Reject(grant, Reason.UNPROCESSABLE)));

    // then
    assertThat(applied.succeeded()).isTrue();
    assertThat(sentOn(HOME)).isEmpty();
    assertThat(ledger.orders(List.of(grant.token())).result()).isEmpty();
  }

  @Test
  void shouldNotAppendWhenAnotherOwnerHasThePartition() {
    // given
    OwnedLedger zombie = owner(WRONG);
    owner(WRONG);

    // when
    Future<Result.Applied> refused = zombie.advance(1, List.of(reserve(BUCKET, 1)));

    // then
    assertThat(refused.cause()).isInstanceOf(FenceLostException.class);
    assertThat(sentOn(HOME)).isEmpty();
  }

  private OwnedLedger owner(int partition) {
    KnownFences known = new KnownFences();
    Fence fence = ledger.takeOver(partition, 0).result();
    return OwnerScene.context(
            new Ownership(fence, known, () -> {}),
            calls.before(Ledger.class, ledger),
            new InMemoryStock(clock, "redis1"),
            log,
            new InMemoryEvents())
        .owned();
  }

  private Command reserve(BucketId bucket, int number) {
    String user = "user-" + number;
    long nowMs = clock.millis();
    OrderToken token = tokens.tokenFor(user, bucket, null);
    return new Command.Reserve(Grants.of(token, user, 1, number, 1, nowMs, nowMs + 300_000), null);
  }

  private static OrderToken token(Command command) {
    return ((Command.Reserve) command).grant().token();
  }

  /** The records of this partition. */
  private List<List<Command>> sentOn(int partition) {
    return log.records(partition).stream()
        .map(OrderLogCodec::decode)
        .map(Decoded::commands)
        .toList();
  }

  private long nextOffset(int partition) {
    return ledger.fences().result().get(partition).nextOffset();
  }

  private boolean isBooked(Command reserve) {
    return ledger.orders(List.of(token(reserve))).result().containsKey(token(reserve));
  }

  private Order order(Command reserve) {
    return ledger.orders(List.of(token(reserve))).result().get(token(reserve));
  }

  private static BucketId otherBucket() {
    long skuId = BUCKET.skuId() + 1;
    while (Placements.partitionOf(new BucketId(skuId, 0), 2) == HOME) {
      skuId++;
    }
    return new BucketId(skuId, 0);
  }
}
