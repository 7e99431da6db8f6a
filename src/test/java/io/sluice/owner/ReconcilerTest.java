package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReconcilerTest {
  private static final int UNBOOKED_MAX = 2_000;
  private static final int UNRELEASED_MAX = 5_000;

  private final OwnerScene scene = OwnerScene.withStock(10);

  /** Commits without the owner, so that no pass is woken. */
  private static void commit(OwnerScene scene, List<Command> commands) {
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    Batches.apply(scene.ledger, Step.check(fence), commands);
  }

  private static Grant booked(OwnerScene scene, String user, int qty) {
    Grant grant = scene.grant(user, qty);
    commit(scene, List.of(new Command.Reserve(grant, null)));
    return grant;
  }

  private static Grant ended(OwnerScene scene, String user) {
    Grant grant = booked(scene, user, 2);
    commit(scene, List.of(new Command.Cancel(grant.token(), Reason.BUYER)));
    return grant;
  }

  private static void restock(OwnerScene scene, long qty) {
    scene.ledger.restock(OwnerScene.BUCKET.skuId(), "r1", qty);
  }

  private static void take(OwnerScene scene) {
    restock(scene, -2);
    long id =
        scene.ledger.pending(OwnerScene.PARTITION, OutboxKind.RESTOCK, 0, 1).result().get(0).id();
    Take take = new Take(id, scene.row().epoch(), scene.redis().version(), 2);
    scene.stock.take(OwnerScene.BUCKET, scene.redis().term(), take);
  }

  private List<Correction> corrections() {
    return scene.ledger.corrections(10).result();
  }

  private static Named<Consumer<OwnerScene>> moment(String name, Consumer<OwnerScene> what) {
    return Named.of(name, what);
  }

  static List<Named<Consumer<OwnerScene>>> comparedMoments() {
    return List.of(
        moment("nothing sold", scene -> {}),
        moment("granted, not booked", scene -> scene.grant("alice", 2)),
        moment("booked, not taken out of unbooked", scene -> booked(scene, "alice", 2)),
        moment(
            "booked and taken out",
            scene -> {
              scene.placed("alice", 2);
              scene.work();
            }),
        moment("ended, not released", scene -> ended(scene, "alice")),
        moment(
            "released, its row not sent",
            scene -> {
              Grant grant = ended(scene, "alice");
              scene.stock.release(
                  OwnerScene.BUCKET,
                  scene.redis().term(),
                  List.of(new Release(grant.token(), grant.epoch(), grant.seq(), 0)));
            }),
        moment(
            "refunded, not released",
            scene -> {
              Grant grant = booked(scene, "alice", 2);
              commit(
                  scene,
                  List.of(new Command.Confirm(grant.token()), new Command.Refund(grant.token())));
            }),
        moment("withdrawn in parts, not released", ReconcilerTest::withdrawnInParts),
        moment(
            "withdrawn in parts, one of two releases done",
            scene -> {
              Grant grant = withdrawnInParts(scene);
              release(scene, grant, 3, 1);
            }),
        moment(
            "withdrawn in parts, released, its rows not sent",
            scene -> {
              Grant grant = withdrawnInParts(scene);
              release(scene, grant, 1, 2);
            }),
        moment(
            "withdrawn as a whole, released, its row not sent",
            scene -> {
              Grant grant = booked(scene, "alice", 2);
              commit(
                  scene,
                  List.of(
                      new Command.Confirm(grant.token()),
                      new Command.Refund(grant.token(), false)));
              release(scene, grant, 0, 2);
            }),
        moment(
            "all at once",
            scene -> {
              scene.grant("alice", 1);
              booked(scene, "bob", 2);
              ended(scene, "carol");
            }));
  }

  /** Of five units one is left, two are sold again, and two have left the stock. */
  private static Grant withdrawnInParts(OwnerScene scene) {
    Grant grant = booked(scene, "alice", 5);
    commit(scene, List.of(new Command.Confirm(grant.token())));
    refund(scene, grant, "a", 1, false);
    refund(scene, grant, "b", 1, true);
    refund(scene, grant, "c", 1, false);
    refund(scene, grant, "d", 1, true);
    return grant;
  }

  private static void refund(OwnerScene scene, Grant grant, String id, int qty, boolean restock) {
    commit(
        scene,
        List.of(
            new Command.RefundPart(grant.token(), id, qty, Command.RefundPart.Step.REQUEST),
            new Command.RefundPart(
                grant.token(), id, 0, Command.RefundPart.Step.COMPLETE, 0, restock)));
  }

  private static void release(OwnerScene scene, Grant grant, int left, int withdrawn) {
    scene.stock.release(
        OwnerScene.BUCKET,
        scene.redis().term(),
        List.of(new Release(grant.token(), grant.epoch(), grant.seq(), left, withdrawn)));
  }

  @ParameterizedTest
  @MethodSource("comparedMoments")
  void shouldFindNothingWhenWorkIsInFlight(Consumer<OwnerScene> moment) {
    // given
    moment.accept(scene);

    // when
    scene.owner.reconcile();

    // then
    assertThat(corrections()).isEmpty();
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1);
    assertThat(scene.reconcileReport().getInteger("drift")).isZero();
    assertThat(scene.reconcileReport().getJsonObject("passed_over").isEmpty()).isTrue();
  }

  @Test
  void shouldTellTheUnitsOfThePartition() {
    // given
    booked(scene, "alice", 2);
    Grant sold = booked(scene, "bob", 3);
    commit(scene, List.of(new Command.Confirm(sold.token())));

    // when
    scene.owner.reconcile();

    // then
    assertThat(scene.reconcileReport().getJsonObject("units"))
        .isEqualTo(new JsonObject().put("free", 5).put("held", 2).put("sold", 3));
  }

  static List<Named<Consumer<OwnerScene>>> restockingMoments() {
    return List.of(
        moment("restock", scene -> restock(scene, 5)),
        moment("take-back planned", scene -> restock(scene, -2)),
        moment("take-back, Redis gave up", ReconcilerTest::take));
  }

  @ParameterizedTest
  @MethodSource("restockingMoments")
  void shouldPassOverWhenARestockIsUnderWay(Consumer<OwnerScene> moment) {
    // given
    moment.accept(scene);

    // when
    scene.owner.reconcile();
    JsonObject meanwhile = scene.reconcileReport();
    scene.settle();
    scene.owner.reconcile();

    // then
    assertThat(meanwhile.getJsonObject("passed_over"))
        .isEqualTo(new JsonObject().put("restocking", 1));
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1);
    assertThat(corrections()).isEmpty();
  }

  @Test
  void shouldPassOverWhenRedisIsAnotherProcess() {
    // given
    scene.stock.restart("redis2");

    // when
    scene.owner.reconcile();
    JsonObject lost = scene.reconcileReport();
    scene.work();
    scene.owner.reconcile();

    // then
    assertThat(lost.getJsonObject("passed_over")).isEqualTo(new JsonObject().put("away", 1));
    assertThat(scene.reconcileReport()).isEqualTo(lost);
    assertThat(corrections()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,0,0,0", "-1,0,0,0", "0,1,0,0", "0,-1,0,0", "0,0,1,0", "0,0,-1,0", "0,0,0,1"})
  void shouldRebuildOnceWhenRedisDiffers(long total, long claimed, long released, long version) {
    // given
    scene.placed("alice", 3);
    scene.work();
    scene.stock.plant(OwnerScene.BUCKET, total, claimed, released, version);

    // when
    scene.owner.reconcile();
    JsonObject first = scene.reconcileReport();
    scene.owner.reconcile();
    scene.settle();
    scene.owner.reconcile();

    // then
    assertThat(first.getInteger("drift")).isEqualTo(1);
    assertThat(first.getJsonArray("drift_in")).containsExactly("1001:0");
    assertThat(corrections()).extracting(Correction::what).containsExactly("1001:0");
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().available()).isEqualTo(scene.row().free()).isEqualTo(7);
    assertThat(scene.redis().version()).isEqualTo(scene.row().version());
    assertThat(scene.reconcileReport().getInteger("drift")).isZero();
    assertThat(scene.reconcileReport().getJsonArray("drift_in")).isEmpty();
  }

  @Test
  void shouldFreezeWhenTheCountersDifferFromTheOrders() {
    // given
    scene.placed("alice", 3);
    scene.work();
    scene.ledger.plantHeld(OwnerScene.BUCKET, 1);

    // when
    scene.owner.reconcile();
    scene.settle();
    scene.owner.reconcile();

    // then
    assertThat(corrections()).hasSize(1);
    assertThat(scene.row().state()).isEqualTo(SkuState.FROZEN);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.LOADING);
  }

  @Test
  void shouldCompareAtOnceWhenACrowdedBucketHasRoomAgain() {
    // given
    OwnerScene crowd = OwnerScene.withStock(3_000);
    List<Command> reserves = new ArrayList<>();
    for (int i = 0; i <= UNBOOKED_MAX; i++) {
      reserves.add(new Command.Reserve(crowd.grant("buyer" + i, 1), null));
    }
    crowd.stock.plant(OwnerScene.BUCKET, 0, 1, 0, 0);

    // when
    crowd.owner.reconcile();
    String crowded = crowd.ledger.reports().result().get(OwnerScene.PARTITION);
    crowd.owner.watchBuckets();
    int before = crowd.ledger.corrections(10).result().size();
    crowd.append(reserves.toArray(Command[]::new));
    crowd.work();
    crowd.owner.watchBuckets();

    // then
    assertThat(new JsonObject(crowded).getJsonObject("passed_over"))
        .isEqualTo(new JsonObject().put("crowded", 1));
    assertThat(before).isZero();
    assertThat(crowd.ledger.corrections(10).result()).hasSize(1);
  }

  @Test
  void shouldPassOverWhenTooManyReleasesArePending() {
    // given
    OwnerScene crowd = OwnerScene.withStock(UNRELEASED_MAX + 1);
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i <= UNRELEASED_MAX; i++) {
      Grant grant = crowd.grant("buyer" + i, 1);
      commands.add(new Command.Reserve(grant, null));
      commands.add(new Command.Cancel(grant.token(), Reason.BUYER));
    }
    commit(crowd, commands);

    // when
    crowd.owner.reconcile();

    // then
    String report = crowd.ledger.reports().result().get(OwnerScene.PARTITION);
    assertThat(new JsonObject(report).getJsonObject("passed_over"))
        .isEqualTo(new JsonObject().put("releasing", 1));
  }

  @Test
  void shouldAnswerWithTheReportWhenAsked() {
    // given
    long request = scene.ledger.requestReconcile(OwnerScene.PARTITION).result();

    // when
    scene.serveRequests();

    // then
    assertThat(scene.ledger.answer(request).result())
        .contains(scene.ledger.reports().result().get(OwnerScene.PARTITION));
  }

  @Test
  void shouldStepDownWhenAnOperatorResetThePartition() {
    // given
    scene.ledger.reset(OwnerScene.PARTITION, 0);

    // when
    scene.owner.reconcile();

    // then
    assertThat(scene.lost).isTrue();
  }
}
