package io.sluice.crash;

import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The actions that lead the victims to a step; they are repeated until all victims are dead. */
enum Scene {
  /** No action: steps of the background tasks. */
  IDLE(stage -> stage.openASkuForEachOwner(), (stage, victim) -> {}),
  /** No action: steps that are taken while the instance starts. */
  START((stage, victim) -> {}),
  ORDER((stage, victim) -> stage.order(victim, 8)),
  /** A victim cannot append to the order log, so it books past it. */
  PAST_LOG((stage, victim) -> stage.order(victim, 8), "FAIL log.append"),
  /** The grants that a victim has booked stay in {@code unbooked}, so they are swept. */
  SWEEP((stage, victim) -> stage.order(stage.survivor(), 8), "FAIL stock.book"),
  COMMANDS((stage, victim) -> stage.endOrders(victim, stage.order(stage.survivor(), 8, 2))),
  STATUS((stage, victim) -> stage.askForStatus(victim)),
  TIMEOUT((stage, victim) -> stage.order(stage.survivor(), 8)),
  RESTOCK((stage, victim) -> stage.restock(victim, 8)),
  TAKE_BACK(
      (stage, victim) -> {
        stage.order(stage.survivor(), 2);
        stage.restock(victim, -8);
      }),
  /**
   * Redis has grants that the ledger does not have, so it refuses to give up units that look free.
   */
  TAKE_TOO_MUCH(
      (stage, victim) -> {
        stage.order(victim, 16);
        stage.restock(stage.survivor(), -stage.available());
      },
      "FAIL log.append",
      "FAIL ledger.book"),
  /** Buyers of one bucket buy what the others have, again and again. */
  MOVE(stage -> stage.shortage().open(), (stage, victim) -> stage.shortage().buy(victim)),
  CREATE((stage, victim) -> stage.create(victim)),
  /** A SKU gets fewer units, and then more, before its first order. */
  OTHER_TOTAL((stage, victim) -> stage.changeTotal(victim)),
  CREATE_SALE((stage, victim) -> stage.createSale(victim)),
  CHANGE_SALE(
      stage -> stage.createSale(stage.survivor()),
      (stage, victim) -> stage.freezeAndThawSales(victim)),
  CHANGE_STATE((stage, victim) -> stage.closeAndReopen(victim)),
  REBUILD(
      (stage, victim) -> {
        stage.endOrders(stage.survivor(), stage.order(stage.survivor(), 12, 2));
        stage.desk(victim, "POST", "/admin/skus/" + stage.skuId() + "/rebuild");
      }),
  RECONCILE(
      (stage, victim) -> {
        stage.desk(victim, "POST", "/admin/reconcile");
        stage.desk(victim, "GET", "/admin/drift");
      }),
  /** Redis has a wrong counter. */
  DRIFT((stage, victim) -> stage.plantDrift()),
  LOOK(
      (stage, victim) -> {
        stage.desk(victim, "GET", "/admin/skus");
        stage.desk(victim, "GET", "/admin/skus/" + stage.skuId());
      }),
  /** An operator ends SKUs; the owners end their buckets. */
  END_OF_SKU(stage -> stage.ends().openSkus(), (stage, victim) -> stage.ends().endSkus(victim)),
  /** Victims end a sale of two SKUs and archive it, then the next one. */
  END_OF_SALE(stage -> stage.ends().openSales(), (stage, victim) -> stage.ends().goOn(victim)),
  /** Two SKUs that have ended join their next sale. */
  NEXT_SALE(
      stage -> stage.ends().openSalesThatAreOver(), (stage, victim) -> stage.ends().goOn(victim)),
  /** Victims end sales whose two SKUs are ordered together, and archive them, then the next. */
  END_OF_CARTS(stage -> stage.ends().openCartSales(), (stage, victim) -> stage.ends().goOn(victim)),
  /** Such SKUs, which have ended, join their next sale. */
  NEXT_CARTS(
      stage -> stage.ends().openCartSalesThatAreOver(),
      (stage, victim) -> stage.ends().goOn(victim)),
  /** Orders of the sale before are refunded while their SKUs are sold again. */
  LATE_REFUND(
      stage -> stage.ends().openSalesThatAreSoldAgain(),
      (stage, victim) -> stage.ends().refundLate()),
  /** SKUs cross their watermarks, down and up. */
  CROSSING(stage -> stage.crossings().open(), (stage, victim) -> stage.crossings().turn()),
  /** Orders of two SKUs: paid, refunded, canceled, or left to time out. */
  CARTS(
      stage -> stage.carts().open(), (stage, victim) -> stage.carts().orderAndEnd(victim, victim)),
  /** A victim cannot append them to the order log, so it books them past it. */
  CART_PAST_LOG(
      stage -> stage.carts().open(),
      (stage, victim) -> stage.carts().orderAndEnd(victim, stage.survivor()),
      "FAIL log.append"),
  /** Those that a victim has booked stay in {@code unbooked}, so they are swept. */
  CART_SWEEP(
      stage -> stage.carts().open(),
      (stage, victim) -> stage.carts().orderAndEnd(stage.survivor(), stage.survivor()),
      "FAIL stock.book"),
  /** Their buckets are rebuilt together. */
  CART_REBUILD(
      stage -> stage.carts().open(),
      (stage, victim) -> {
        stage.carts().orderAndEnd(stage.survivor(), stage.survivor());
        for (long lead : stage.carts().leads()) {
          stage.desk(victim, "POST", "/admin/skus/" + lead + "/rebuild");
        }
      }),
  /** Orders of a SKU that sells in the ledger alone, and their ends. */
  LEDGER_ALONE(
      stage -> stage.directOrders().open(), (stage, victim) -> stage.directOrders().live(victim)),
  /** Records that cannot be parsed. */
  POISON((stage, victim) -> stage.poison()),
  END((stage, victim) -> victim.askToEnd());

  private final Consumer<Stage> preparation;
  private final BiConsumer<Stage, SluiceProcess> action;
  private final List<String> conditions;

  Scene(BiConsumer<Stage, SluiceProcess> action, String... conditions) {
    this(stage -> {}, action, conditions);
  }

  Scene(
      Consumer<Stage> preparation, BiConsumer<Stage, SluiceProcess> action, String... conditions) {
    this.preparation = preparation;
    this.action = action;
    this.conditions = List.of(conditions);
  }

  /** Orders for the victims that hold during the whole scene. */
  List<String> conditions() {
    return conditions;
  }

  Duration paymentWindow() {
    return this == TIMEOUT ? Duration.ofSeconds(1) : Duration.ofHours(1);
  }

  /** Called before any victim is armed. */
  void prepare(Stage stage) {
    preparation.accept(stage);
  }

  void act(Stage stage, SluiceProcess victim) {
    action.accept(stage, victim);
  }
}
