package io.sluice.crash;

import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The actions that lead the victims to a step; they are repeated until all victims are dead. */
enum Scene {
  /** No action: steps of the background tasks. */
  IDLE(stage -> stage.openASkuForEachOwner()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {}
  },
  /** No action: steps that are taken while the instance starts. */
  START {
    @Override
    void act(Stage stage, SluiceProcess victim) {}
  },
  ORDER {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(victim, 8);
    }
  },
  /** A victim cannot append to the order log, so it books directly. */
  DIRECT("FAIL log.append") {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(victim, 8);
    }
  },
  /** The grants that a victim has booked stay in {@code unbooked}, so they are swept. */
  SWEEP("FAIL stock.book") {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(stage.survivor(), 8);
    }
  },
  COMMANDS {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.endOrders(victim, stage.order(stage.survivor(), 8, 2));
    }
  },
  STATUS {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.askForStatus(victim);
    }
  },
  TIMEOUT {
    @Override
    Duration paymentWindow() {
      return Duration.ofSeconds(1);
    }

    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(stage.survivor(), 8);
    }
  },
  RESTOCK {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.restock(victim, 8);
    }
  },
  TAKE_BACK {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(stage.survivor(), 2);
      stage.restock(victim, -8);
    }
  },
  /**
   * Redis has grants that the ledger does not have, so it refuses to give up units that look free.
   */
  TAKE_TOO_MUCH("FAIL log.append", "FAIL ledger.book") {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.order(victim, 16);
      stage.restock(stage.survivor(), -stage.available());
    }
  },
  /** Buyers of one bucket buy what the others have, again and again. */
  MOVE(stage -> stage.shortage().open()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.shortage().buy(victim);
    }
  },
  CREATE {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.create(victim);
    }
  },
  CREATE_SALE {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.createSale(victim);
    }
  },
  CHANGE_SALE(stage -> stage.createSale(stage.survivor())) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.freezeAndThawSales(victim);
    }
  },
  CHANGE_STATE {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.closeAndReopen(victim);
    }
  },
  REBUILD {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.endOrders(stage.survivor(), stage.order(stage.survivor(), 12, 2));
      stage.desk(victim, "POST", "/admin/skus/" + stage.skuId() + "/rebuild");
    }
  },
  RECONCILE {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.desk(victim, "POST", "/admin/reconcile");
      stage.desk(victim, "GET", "/admin/drift");
    }
  },
  /** Redis has a wrong counter. */
  DRIFT {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.plantDrift();
    }
  },
  LOOK {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.desk(victim, "GET", "/admin/skus");
      stage.desk(victim, "GET", "/admin/skus/" + stage.skuId());
    }
  },
  /** An operator ends SKUs; the owners end their buckets. */
  END_OF_SKU(stage -> stage.ends().openSkus()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().endSkus(victim);
    }
  },
  /** Victims end a sale of two SKUs and archive it, then the next one. */
  END_OF_SALE(stage -> stage.ends().openSales()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().goOn(victim);
    }
  },
  /** Two SKUs that have ended join their next sale. */
  NEXT_SALE(stage -> stage.ends().openSalesThatAreOver()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().goOn(victim);
    }
  },
  /** Victims end sales whose two SKUs are ordered together, and archive them, then the next. */
  END_OF_CARTS(stage -> stage.ends().openCartSales()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().goOn(victim);
    }
  },
  /** Such SKUs, which have ended, join their next sale. */
  NEXT_CARTS(stage -> stage.ends().openCartSalesThatAreOver()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().goOn(victim);
    }
  },
  /** Orders of the sale before are refunded while their SKUs are sold again. */
  LATE_REFUND(stage -> stage.ends().openSalesThatAreSoldAgain()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.ends().refundLate();
    }
  },
  /** SKUs cross their watermarks, down and up. */
  CROSSING(stage -> stage.crossings().open()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.crossings().turn();
    }
  },
  /** Orders of two SKUs: paid, refunded, canceled, or left to time out. */
  CARTS(stage -> stage.carts().open()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.carts().orderAndEnd(victim, victim);
    }
  },
  /** A victim cannot append them to the order log, so it books them directly. */
  CART_DIRECT(stage -> stage.carts().open(), "FAIL log.append") {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.carts().orderAndEnd(victim, stage.survivor());
    }
  },
  /** Those that a victim has booked stay in {@code unbooked}, so they are swept. */
  CART_SWEEP(stage -> stage.carts().open(), "FAIL stock.book") {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.carts().orderAndEnd(stage.survivor(), stage.survivor());
    }
  },
  /** Their buckets are rebuilt together. */
  CART_REBUILD(stage -> stage.carts().open()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.carts().orderAndEnd(stage.survivor(), stage.survivor());
      for (long lead : stage.carts().leads()) {
        stage.desk(victim, "POST", "/admin/skus/" + lead + "/rebuild");
      }
    }
  },
  /** Orders of a SKU that sells in the ledger alone, and their ends. */
  LEDGER_ALONE(stage -> stage.directOrders().open()) {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.directOrders().live(victim);
    }
  },
  /** Records that cannot be parsed. */
  POISON {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      stage.poison();
    }
  },
  END {
    @Override
    void act(Stage stage, SluiceProcess victim) {
      victim.askToEnd();
    }
  };

  private final Consumer<Stage> preparation;
  private final List<String> conditions;

  Scene(String... conditions) {
    this(stage -> {}, conditions);
  }

  Scene(Consumer<Stage> preparation, String... conditions) {
    this.preparation = preparation;
    this.conditions = List.of(conditions);
  }

  /** Orders for the victims that hold during the whole scene. */
  List<String> conditions() {
    return conditions;
  }

  Duration paymentWindow() {
    return Duration.ofHours(1);
  }

  /** Called before any victim is armed. */
  void prepare(Stage stage) {
    preparation.accept(stage);
  }

  abstract void act(Stage stage, SluiceProcess victim);
}
