package io.sluice.admin;

import io.sluice.admin.OrderAdminRoutes.Part;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.History;
import io.sluice.ledger.OrderJob;
import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import io.sluice.ledger.SaleLedger;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderCalls;
import io.sluice.order.OrderCalls.Answers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Works at the jobs that operators have started, one at a time, in the way of the back office's
 * commands: each order is changed as by a call of its own. Every instance does, and each job has
 * one at a time. What a worker has not saved when it dies is done again, which changes nothing.
 */
final class OrderJobs {
  /** Also the rest between two passes of a job, in which other jobs come first. */
  static final Duration EVERY = Duration.ofSeconds(2);

  /** Longer than a page of commands takes, as a rule; if one takes longer, two may work at it. */
  static final Duration LEASE = Duration.ofSeconds(20);

  private final SaleLedger sales;
  private final History stories;
  private final OrderCalls orders;
  private final BackgroundTask task = new BackgroundTask("order jobs", this::step);
  private @Nullable OrderJob current;

  OrderJobs(SaleLedger sales, History stories, OrderCalls orders) {
    this.sales = sales;
    this.stories = stories;
    this.orders = orders;
  }

  /** Called by a timer. */
  void tick() {
    task.wake();
  }

  /** The next page of a job; false if there is none before the next tick. */
  private Future<Boolean> step() {
    OrderJob mine = current;
    // If it fails, another instance, or this one, takes the job again once nobody works at it.
    return (mine == null ? taken() : page(mine)).onFailure(unknown -> current = null);
  }

  /** Looks before it locks: as a rule there is none. */
  private Future<Boolean> taken() {
    return sales
        .jobs(State.RUNNING, 1)
        .compose(
            running ->
                running.isEmpty()
                    ? Future.succeededFuture(Optional.<OrderJob>empty())
                    : sales.takeJob(LEASE))
        .compose(job -> job.isPresent() ? page(job.get()) : Future.succeededFuture(false));
  }

  private Future<Boolean> page(OrderJob job) {
    return part(job)
        .compose(
            part ->
                orders
                    .runAll(commands(job, part.orders()))
                    .compose(answers -> save(counted(job, answers, part.next().orElse("")))));
  }

  /** A job whose pass has ended is free for any instance after the rest. */
  private Future<Boolean> save(OrderJob after) {
    boolean goesOn = !after.place().isEmpty();
    return sales
        .saveJob(after, goesOn ? LEASE : EVERY)
        .map(
            saved -> {
              current = goesOn ? saved.orElse(null) : null;
              return current != null;
            });
  }

  private static OrderJob counted(OrderJob job, Answers answers, String next) {
    long changed = 0;
    long open = 0;
    long refused = 0;
    for (CommandAnswer answer : answers.inOrder()) {
      if (answer instanceof CommandAnswer.Done) {
        changed++;
      } else if (answer instanceof CommandAnswer.Accepted
          || answer instanceof CommandAnswer.NotNow
          || answer instanceof CommandAnswer.NotYet) {
        open++;
      } else if (answer instanceof CommandAnswer.Conflict
          || answer instanceof CommandAnswer.Unknown) {
        refused++;
      }
    }
    return job.after(changed, open, refused, next);
  }

  private Future<Part> part(OrderJob job) {
    Optional<String> after = Optional.of(job.place()).filter(place -> !place.isEmpty());
    return job.saleId().isEmpty()
        ? OrderAdminRoutes.ofSku(stories, job.skuId(), after, History.PAGE_MAX)
        : OrderAdminRoutes.ofSale(stories, job.saleId(), after, History.PAGE_MAX)
            .map(found -> found.orElse(new Part(List.of(), Optional.empty())));
  }

  /** One for each order that it is about; of an order of several SKUs for the whole. */
  private static List<Command> commands(OrderJob job, List<Order> orders) {
    Map<OrderToken, Command> commands = new LinkedHashMap<>();
    for (Order order : orders) {
      if (order.status() == statusOf(job)
          && !order.archived()
          && order.createdAtMs() <= job.startedAtMs()) {
        OrderToken token = order.grant().lead().token();
        commands.putIfAbsent(token, command(job, token));
      }
    }
    return List.copyOf(commands.values());
  }

  private static OrderStatus statusOf(OrderJob job) {
    return switch (job.action()) {
      case CANCEL_UNPAID -> OrderStatus.PENDING;
      case REFUND_PAID, WITHDRAW_PAID -> OrderStatus.CONFIRMED;
    };
  }

  private static Command command(OrderJob job, OrderToken token) {
    return switch (job.action()) {
      case CANCEL_UNPAID -> new Command.Cancel(token, Reason.OPERATOR);
      case REFUND_PAID, WITHDRAW_PAID ->
          new Command.Refund(token, job.action() == Action.REFUND_PAID);
    };
  }
}
