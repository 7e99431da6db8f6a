package io.sluice.order;

import io.sluice.async.AsyncLoop;
import io.sluice.async.LoopContext;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.order.CommandAnswer.NotNow;
import io.sluice.order.CommandOutcomes.Decided;
import io.sluice.order.CommandOutcomes.Looked;
import io.sluice.order.CommandOutcomes.Undecided;
import io.sluice.order.OrderCalls.Answers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Commands of one call, in rounds: each order has one command in a round, and all of a round are
 * sent together once each is looked at. As a rule there is one round. The next one begins when this
 * one is answered, so that each command meets its order as the one before has left it.
 */
final class CommandList {
  private final List<Command> commands;
  private final BiFunction<Command, Predicate<Order>, Future<Looked>> look;
  private final Function<List<Undecided>, List<Future<CommandAnswer>>> send;
  private final LoopContext loop;
  private final Duration lastBegins;
  private final List<CommandAnswer> answers;

  /** Orders of which the outcome of a command is not known. */
  private final Map<OrderToken, NotNow> open = new HashMap<>();

  private boolean sent;

  /**
   * @param look how far a command comes before anything is sent
   * @param send applies commands of different orders
   * @param lastBegins after this time no further round begins
   */
  CommandList(
      List<Command> commands,
      BiFunction<Command, Predicate<Order>, Future<Looked>> look,
      Function<List<Undecided>, List<Future<CommandAnswer>>> send,
      LoopContext loop,
      Duration lastBegins) {
    this.commands = commands;
    this.look = look;
    this.send = send;
    this.loop = loop;
    this.lastBegins = lastBegins;
    this.answers = new ArrayList<>(Collections.nCopies(commands.size(), new NotNow(true)));
  }

  /** Never fails. */
  Future<Answers> run() {
    long begunNanos = loop.now();
    return AsyncLoop.forEach(rounds(), round -> run(round, begunNanos))
        .map(all -> new Answers(List.copyOf(answers), sent));
  }

  /** The places of the commands of each round. */
  private List<List<Integer>> rounds() {
    List<List<Integer>> rounds = new ArrayList<>();
    Map<OrderToken, Integer> ofOrder = new HashMap<>();
    for (int i = 0; i < commands.size(); i++) {
      int round = ofOrder.merge(token(i), 1, Integer::sum) - 1;
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(i);
    }
    return rounds;
  }

  private OrderToken token(int place) {
    return Objects.requireNonNull(commands.get(place).token());
  }

  private Future<Void> run(List<Integer> round, long begunNanos) {
    if (loop.since(begunNanos).compareTo(lastBegins) > 0) {
      round.forEach(place -> answer(place, new NotNow(true)));
      return Future.succeededFuture();
    }
    List<Integer> places = new ArrayList<>();
    List<Future<Looked>> looks = new ArrayList<>();
    for (int place : round) {
      NotNow before = open.get(token(place));
      if (before != null) {
        answer(place, before);
      } else {
        places.add(place);
        looks.add(look.apply(commands.get(place), order -> true));
      }
    }
    return Future.join(looks).compose(looked -> sendAll(places, looks));
  }

  private Future<Void> sendAll(List<Integer> places, List<Future<Looked>> looks) {
    List<Integer> waiting = new ArrayList<>();
    List<Undecided> undecided = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Looked looked = looks.get(i).result();
      if (looked instanceof Undecided at) {
        waiting.add(places.get(i));
        undecided.add(at);
      } else {
        answer(places.get(i), ((Decided) looked).answer());
      }
    }
    List<Future<CommandAnswer>> outcomes = send.apply(undecided);
    sent |= outcomes.stream().anyMatch(one -> !(one.result() instanceof NotNow));
    return Future.join(outcomes)
        .onSuccess(
            all -> {
              for (int i = 0; i < waiting.size(); i++) {
                answer(waiting.get(i), outcomes.get(i).result());
              }
            })
        .mapEmpty();
  }

  private void answer(int place, CommandAnswer answer) {
    answers.set(place, answer);
    if (answer instanceof NotNow notNow) {
      open.put(token(place), notNow);
    }
  }
}
