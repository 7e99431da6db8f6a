package io.sluice.webhook;

import io.sluice.async.AsyncLoop;
import io.sluice.webhook.WebhookSender.Outcome;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Messages that are sent to one target together: those of one order key in order, others side by
 * side. What follows one that was not accepted is not tried; nor is the rest, once as many were not
 * accepted as are sent side by side.
 */
final class DeliveryRound {
  /** A message, and its place among those of the round. */
  record Item(int place, Message message) {}

  /**
   * A message that was not accepted, and why; with the outcome of no answer if it was not tried.
   */
  record Refused(Item item, Outcome outcome, boolean isTried) {}

  private static final Outcome BEHIND = Outcome.none("waits behind another one");

  private final Function<Message, Future<Outcome>> send;
  private final BooleanSupplier maySend;
  private final Deque<Deque<Item>> chains;
  private final List<Item> accepted = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private int failures;
  private boolean isGone;
  private boolean isCut;

  /**
   * @param maySend false once the target is another instance's
   */
  DeliveryRound(
      List<Message> messages, Function<Message, Future<Outcome>> send, BooleanSupplier maySend) {
    this.send = send;
    this.maySend = maySend;
    Map<String, Deque<Item>> byKey = new LinkedHashMap<>();
    IntStream.range(0, messages.size())
        .mapToObj(place -> new Item(place, messages.get(place)))
        .forEach(
            item ->
                byKey
                    .computeIfAbsent(item.message().orderKey(), key -> new ArrayDeque<>())
                    .add(item));
    this.chains = new ArrayDeque<>(byKey.values());
  }

  /** Completes once each message is accepted or refused, or the round is cut. */
  Future<Void> run() {
    int side = Math.min(WebhookSender.IN_FLIGHT_MAX, chains.size());
    return Future.join(
            IntStream.range(0, side)
                .<Future<?>>mapToObj(worker -> AsyncLoop.whileTrue(this::nextChain))
                .toList())
        .mapEmpty();
  }

  private Future<Boolean> nextChain() {
    Deque<Item> chain = chains.poll();
    return chain == null
        ? Future.succeededFuture(false)
        : AsyncLoop.whileTrue(() -> nextOf(chain)).map(true);
  }

  private Future<Boolean> nextOf(Deque<Item> chain) {
    Item item = chain.poll();
    if (item == null) {
      return Future.succeededFuture(false);
    }
    isCut |= isGone || !maySend.getAsBoolean();
    if (isCut || isDown()) {
      chain.addFirst(item);
      leave(chain);
      return Future.succeededFuture(false);
    }
    return send.apply(item.message())
        .map(
            outcome -> {
              if (outcome.isAccepted()) {
                accepted.add(item);
                return true;
              }
              failures++;
              isGone |= outcome.isGone();
              refused.add(new Refused(item, outcome, true));
              leave(chain);
              return false;
            });
  }

  private void leave(Deque<Item> chain) {
    chain.forEach(item -> refused.add(new Refused(item, BEHIND, false)));
    chain.clear();
  }

  private boolean isDown() {
    return failures >= WebhookSender.IN_FLIGHT_MAX;
  }

  List<Item> accepted() {
    return accepted;
  }

  /** In their order. */
  List<Refused> refused() {
    return refused.stream()
        .sorted((a, b) -> Integer.compare(a.item().place(), b.item().place()))
        .toList();
  }

  /** Whether the target seems to be down: many were tried, and none was accepted. */
  boolean isAllRefused() {
    return isDown() && accepted.isEmpty();
  }

  /** Whether the target wants nothing more. */
  boolean isGone() {
    return isGone;
  }

  /** Whether messages were left out because the target is another instance's, or gone. */
  boolean isCut() {
    return isCut || isGone;
  }
}
