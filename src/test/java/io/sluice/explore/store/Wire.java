package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.run.World;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.lang.reflect.Method;
import java.util.SplittableRandom;

/**
 * The network between processes and stores. The call travels, is performed at one instant, and its
 * answer travels back; each step may fail on its own.
 */
public final class Wire {
  private final World world;
  private final Locks locks;
  private int lateUnderWay;
  private int ledgerProcess = 1;

  public Wire(World world) {
    this.world = world;
    this.locks = new Locks(world.scheduler());
  }

  Locks locks() {
    return locks;
  }

  /** Ends all connections to the ledger, and the transactions on them. */
  public void disconnectLedger() {
    ledgerProcess++;
    locks.restart();
  }

  /** Counts restarts of the ledger; connections of before are dead. */
  int ledgerProcess() {
    return ledgerProcess;
  }

  /** Calls whose callers have given up, and which may still be performed. */
  public int lateUnderWay() {
    return lateUnderWay;
  }

  /** Changes the number of such calls. */
  void late(int more) {
    lateUnderWay += more;
  }

  /**
   * The store as this caller reaches it; methods that do not return a Future bypass the network.
   */
  public <S> S through(Class<S> port, S target, Node caller) {
    return Ports.answering(
        port,
        (proxy, method, arguments) ->
            method.getReturnType() == Future.class
                ? call(caller, method, target, arguments)
                : method.invoke(target, arguments));
  }

  private Future<Object> call(Node caller, Method method, Object target, Object[] arguments) {
    Op op = Op.of(method);
    int count = caller.count(op.label());
    SplittableRandom draws = world.chance().of(caller.name(), op.label(), count);
    Fault fault = world.faults().draw(caller, op, count, draws);
    return new Call(world, this, caller, op, draws, fault, method, target, arguments).begin();
  }

  /** The delay of a message: mostly short, sometimes long. */
  public static long travelUs(SplittableRandom draws) {
    int kind = draws.nextInt(1_000);
    if (kind < 880) {
      return 100 + draws.nextLong(8_000);
    }
    return kind < 985 ? 8_000 + draws.nextLong(110_000) : 100_000 + draws.nextLong(350_000);
  }
}
