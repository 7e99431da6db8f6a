package io.sluice.explore.run;

import io.sluice.explore.actor.Node;
import io.sluice.explore.store.LogAsSeen;
import io.sluice.explore.store.PortFailures;
import io.sluice.explore.store.SmallPages;
import io.sluice.explore.store.Wire;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockStore;

/** The stores as one node reaches them: through the network, and through planted defects. */
public record NodeStores(
    World world,
    Wire wire,
    InMemoryLedger inMemory,
    InMemoryOrderLog orderLog,
    InMemoryEvents published,
    Node node) {

  public StockStore stock() {
    StockStore below = world.defect().stockBelow(world.redis().reachedBy(node), world);
    StockStore wired = SmallPages.of(wire.through(StockStore.class, below, node));
    return PortFailures.noticed(StockStore.class, world.defect().stockAbove(wired), world);
  }

  public Ledger ledger() {
    Ledger below = world.defect().ledgerBelow(inMemory, world);
    Ledger wired = SmallPages.of(wire.through(Ledger.class, below, node));
    return PortFailures.noticed(Ledger.class, world.defect().ledgerAbove(wired, stock()), world);
  }

  public SkuLedger skus() {
    return wire.through(SkuLedger.class, inMemory, node);
  }

  public SaleLedger sales() {
    return wire.through(SaleLedger.class, inMemory.sales(), node);
  }

  public OrderLog log() {
    return wire.through(OrderLog.class, new LogAsSeen(world, orderLog, node), node);
  }

  public EventPublisher events() {
    return wire.through(EventPublisher.class, published, node);
  }
}
