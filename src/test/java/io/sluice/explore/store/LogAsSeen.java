package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.run.World;
import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.util.List;

/**
 * The order log as an instance sees it. While it is down the instance mostly knows; in some
 * scenarios it also takes the log to be down when it is not.
 */
public final class LogAsSeen implements OrderLog {
  /** The share of appends that are tried although the log is taken to be down. */
  private static final int TRIED_PERCENT = 10;

  private final World world;
  private final OrderLog log;
  private final Node node;

  public LogAsSeen(World world, OrderLog log, Node node) {
    this.world = world;
    this.log = log;
    this.node = node;
  }

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    return log.append(partition, commands);
  }

  @Override
  public Future<Void> room(int partition) {
    return log.room(partition);
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return log.endOffset(partition);
  }

  @Override
  public Future<Long> beginOffset(int partition) {
    return log.beginOffset(partition);
  }

  @Override
  public boolean takes(int partition) {
    boolean away = world.isAway(Op.Store.LOG);
    int doubt = world.isQuiet() ? 0 : world.scenario().routes().doubtPercent();
    if (!away && doubt == 0) {
      return true;
    }
    int drawn = world.chance().of(node.name(), "takes", node.count("takes")).nextInt(100);
    return drawn >= (away ? 100 - TRIED_PERCENT : doubt);
  }
}
