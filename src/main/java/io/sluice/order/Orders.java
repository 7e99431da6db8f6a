package io.sluice.order;

import io.sluice.async.LoopContext;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.order.CommandOutcomes.Decided;
import io.sluice.order.CommandOutcomes.Looked;
import io.sluice.order.CommandOutcomes.Undecided;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Looks up orders and runs their commands; docs/design.md sections 7 and 9. One per event loop;
 * only the cache is shared.
 */
public final class Orders implements OrderCalls {
  static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private final OrderFinder finder;
  private final OrderCache cache;
  private final OrderLog log;
  private final OrderWaits waits;
  private final CommandOutcomes outcomes;
  private final DirectCommands direct;
  private final LoopContext loop;
  private final Duration wait;
  private final LevelGate withdrawals;

  public Orders(
      LoopStores stores,
      LoopContext loop,
      SkuCatalog catalog,
      OrderCache cache,
      ReservationConfig config) {
    OrderReader rows = new OrderReader(stores.ledger(), cache);
    this.finder = new OrderFinder(catalog, cache, stores, rows, loop);
    this.waits = new OrderWaits(cache, rows, loop);
    this.cache = cache;
    this.log = stores.log();
    this.loop = loop;
    this.wait = Duration.ofMillis(config.commandWaitMs());
    this.outcomes = new CommandOutcomes(stores.ledger(), rows, cache, loop, wait);
    this.direct = new DirectCommands(stores.direct(), cache, loop, wait);
    this.withdrawals = new LevelGate(stores.ledger(), loop);
  }

  @Override
  public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
    return finder.find(token).map(found -> isHidden(found, mayAct) ? new Unknown() : found);
  }

  @Override
  public Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left) {
    Duration atMost = wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
    return find(token, mayAct)
        .compose(
            found ->
                found instanceof Known known
                    ? waits.changed(known.order(), atMost, left)
                    : Future.succeededFuture(found));
  }

  /**
   * Runs a command on an existing order: answered at once if the order's status decides the
   * outcome, else appended to the log, where the order's owner decides.
   */
  @Override
  public Future<CommandAnswer> run(Command command, Predicate<Order> mayAct) {
    return look(command, mayAct)
        .compose(
            looked ->
                looked instanceof Undecided undecided
                    ? send(List.of(undecided)).get(0)
                    : Future.succeededFuture(((Decided) looked).answer()));
  }

  @Override
  public Future<Answers> runAll(List<Command> commands) {
    return new CommandList(commands, this::look, this::send, loop, wait).run();
  }

  @Override
  public Future<Boolean> mayWithdraw() {
    return withdrawals.isRaised();
  }

  /** Looks up booked orders, for requests that are repeated. */
  public OrderFinder booked() {
    return finder;
  }

  /** Finds the order of a command, and where it is decided; never fails. */
  private Future<Looked> look(Command command, Predicate<Order> mayAct) {
    OrderToken token = Objects.requireNonNull(command.token());
    CommandGoal goal = new CommandGoal.UnlessArchived(CommandGoal.of(command));
    boolean isOfBuyers = command instanceof Command.Cancel;
    return findFor(goal, token, isOfBuyers)
        .compose(found -> look(goal, found, ofLine(command), mayAct))
        .compose(
            looked ->
                looked instanceof Undecided && command.withdraws()
                    ? ifRaised(looked)
                    : Future.succeededFuture(looked));
  }

  /**
   * Only what will be decided raises the ledger: an older build does not run beside it any more.
   */
  private Future<Looked> ifRaised(Looked looked) {
    return mayWithdraw()
        .transform(
            may ->
                may.failed()
                    ? decided(new CommandAnswer.NotNow(false))
                    : may.result()
                        ? Future.succeededFuture(looked)
                        : decided(new CommandAnswer.NotYet()));
  }

  /** The line that gives an order its token need not be named. */
  private static Command ofLine(Command command) {
    return command instanceof Command.RefundPart part && part.skuId() == part.token().skuId()
        ? new Command.RefundPart(
            part.token(), part.refundId(), part.qty(), part.step(), 0, part.restock())
        : command;
  }

  /**
   * A cached copy of a PENDING order is enough, because the log decides. Any other is read again:
   * it may have been refunded, and it may be in the archive, of which no event tells. If it cannot
   * be read, the copy is enough if its status cannot change, or the log decides. If a buyer wants
   * to change an order, an event alone does not prove that it is his.
   */
  private Future<OrderAnswer> findFor(CommandGoal goal, OrderToken token, boolean isOfBuyers) {
    Order heard = cache.lastKnown(token);
    if (heard == null || (isOfBuyers && !cache.knowsBuyer(token))) {
      return finder.findInStores(token);
    }
    if (heard.status() == OrderStatus.PENDING) {
      return Future.succeededFuture(new Known(heard));
    }
    return finder
        .findInStores(token)
        .map(found -> found instanceof NotNow ? heardOr(found, goal, token) : found);
  }

  /** As it is known after the read: that may have failed because the ledger was being restored. */
  private OrderAnswer heardOr(OrderAnswer notNow, CommandGoal goal, OrderToken token) {
    Order heard = cache.lastKnown(token);
    if (heard != null && (finder.isOver(token) || goal.decidedBy(heard).isEmpty())) {
      return new Known(heard);
    }
    return notNow;
  }

  private Future<Looked> look(
      CommandGoal goal, OrderAnswer found, Command command, Predicate<Order> mayAct) {
    if (found instanceof NotNow notNow) {
      return decided(new CommandAnswer.NotNow(notNow.busy()));
    }
    if (found instanceof OrderAnswer.Unknown || !mayAct.test(((Known) found).order())) {
      return decided(new CommandAnswer.Unknown());
    }
    Order order = ((Known) found).order();
    return goal.decidedBy(order)
        .map(Orders::decided)
        .orElseGet(() -> decidedByOwner(goal, order, command));
  }

  private static Future<Looked> decided(CommandAnswer answer) {
    return Future.succeededFuture(new Decided(answer));
  }

  /**
   * The command goes to the owner of the bucket, wherever that is now; if it has none, to the
   * ledger. A SKU that is still taken for unknown, though it has an order, is read again within a
   * second.
   */
  private Future<Looked> decidedByOwner(CommandGoal goal, Order order, Command command) {
    return finder
        .bucketOf(order.token())
        .transform(
            bucket ->
                bucket.succeeded() && bucket.result().isPresent()
                    ? Future.succeededFuture(
                        new Undecided(goal, order, command, bucket.result().get().partition()))
                    : decided(new CommandAnswer.NotNow(bucket.succeeded())));
  }

  /** Applies commands of different orders; the answers are in the order of the commands. */
  private List<Future<CommandAnswer>> send(List<Undecided> commands) {
    Map<Integer, List<Undecided>> byPartition = new LinkedHashMap<>();
    commands.forEach(
        each ->
            byPartition.computeIfAbsent(each.partition(), first -> new ArrayList<>()).add(each));
    Map<Undecided, Future<CommandAnswer>> answers = new IdentityHashMap<>();
    byPartition.forEach(
        (partition, together) -> {
          List<Future<CommandAnswer>> ofPartition = sendTo(partition, together);
          for (int i = 0; i < together.size(); i++) {
            answers.put(together.get(i), ofPartition.get(i));
          }
        });
    return commands.stream().map(each -> Objects.requireNonNull(answers.get(each))).toList();
  }

  private List<Future<CommandAnswer>> sendTo(int partition, List<Undecided> commands) {
    if (partition == Placement.DIRECT) {
      return commands.stream()
          .map(each -> direct.run(each.goal(), each.order().token(), each.command()))
          .toList();
    }
    List<Future<CommandAnswer>> answers =
        outcomes.run(commands, record -> log.append(partition, record));
    for (int i = 0; i < commands.size(); i++) {
      Order order = commands.get(i).order();
      answers.get(i).onSuccess(answer -> doubtIfPassed(answer, order));
    }
    return answers;
  }

  /** A command that was passed without an effect may have been sent on from the wrong partition. */
  private void doubtIfPassed(CommandAnswer answer, Order order) {
    if (answer instanceof CommandAnswer.NotNow notNow && notNow.busy()) {
      finder.doubt(order.token());
    }
  }

  private static boolean isHidden(OrderAnswer found, Predicate<Order> mayAct) {
    return found instanceof Known known && !mayAct.test(known.order());
  }
}
