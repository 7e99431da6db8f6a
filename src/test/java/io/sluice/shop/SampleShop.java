package io.sluice.shop;

import io.sluice.client.Caller;
import io.sluice.client.Event;
import io.sluice.client.EventPage;
import io.sluice.client.Order;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.client.Purchase;
import io.sluice.client.RefusedException;
import io.sluice.client.SluiceClient;
import io.sluice.client.UnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A shop that sells through Sluice: checkout, payments, events. What a shop keeps in its database
 * is a map or a file here. Its methods are what its pages and the notices of its payment provider
 * call.
 */
public final class SampleShop {
  private static final Logger LOG = System.getLogger(SampleShop.class.getName());
  private static final int PAGE = 500;

  /**
   * What the buyer is shown.
   *
   * @param toPay the order, if he is to pay now
   */
  public record Page(String text, Optional<Order> toPay) {
    static Page of(String text) {
      return new Page(text, Optional.empty());
    }
  }

  private final SluiceClient sluice;
  private final Consumer<String> provider;
  private final Path cursor;

  private final Map<String, Purchase> purchases = new ConcurrentHashMap<>();
  private final Map<String, String> untold = new ConcurrentHashMap<>();
  private final Set<String> paidBack = ConcurrentHashMap.newKeySet();
  private final Map<String, Order.Status> statuses = new ConcurrentHashMap<>();
  private final Map<String, Long> versions = new ConcurrentHashMap<>();

  /**
   * A shop.
   *
   * @param sluice calls as the back office, and knows the management port
   * @param provider pays back a payment
   * @param cursor the file that keeps how far events were read
   */
  public SampleShop(SluiceClient sluice, Consumer<String> provider, Path cursor) {
    this.sluice = sluice;
    this.provider = provider;
    this.cursor = cursor;
  }

  /** The buyer wants what is in his cart. Asked again, also after a crash, it is one order. */
  public Page checkout(String cart, String userId, long skuId, int units) {
    // In the shop's database before it is sent: the key decides what is the same purchase.
    Purchase purchase =
        purchases.computeIfAbsent(cart, name -> Purchase.of(skuId, units).withReference(name));
    try {
      Order order = sluice.place(Caller.user(userId), purchase);
      statuses.putIfAbsent(order.orderToken(), order.status());
      return order.status().isUnpaid()
          ? new Page("Pay before " + order.payBefore(), Optional.of(order))
          : Page.of("It is yours");
    } catch (OutcomeUnknownException | UnavailableException e) {
      return Page.of("One moment"); // The page calls again, with the same cart.
    } catch (RefusedException e) {
      return e.isRetryable() ? Page.of("One moment") : refused(cart, e);
    }
  }

  private Page refused(String cart, RefusedException e) {
    return switch (e.word()) {
      case "order-ended" -> {
        purchases.remove(cart); // The next try is another purchase.
        yield Page.of("Your time to pay is over. Try again");
      }
      case "sold-out" -> Page.of("Sold out. Units that are not paid come back");
      case "limit-reached" -> Page.of("You have as many as you may");
      case "not-open" -> Page.of("Not on sale now");
      default -> throw e; // A fault of this shop: detail says which.
    };
  }

  /** The provider tells that an order is paid. */
  public void paid(String orderToken, String paymentRef) {
    // In the shop's database before the provider has its answer.
    untold.put(paymentRef, orderToken);
    tellPayments();
  }

  /** Tells of all payments whose outcome is open; a shop calls it every few seconds as well. */
  public void tellPayments() {
    untold.forEach(this::tellPayment);
  }

  private void tellPayment(String paymentRef, String orderToken) {
    try {
      sluice.confirm(orderToken, paymentRef);
    } catch (RefusedException e) {
      switch (e.word()) {
        case "payment-late", "unknown-order" -> payBack(paymentRef);
        case "already-confirmed", "already-refunded", "archived" ->
            e.problem().paymentToReturn().ifPresent(this::payBack);
        default -> {
          LOG.log(Level.WARNING, "payment stays to be told: " + paymentRef, e);
          return;
        }
      }
    } catch (OutcomeUnknownException | UnavailableException e) {
      return; // Neither paid nor refused: it stays to be told.
    }
    untold.remove(paymentRef);
  }

  /** Once, if an answer or an event says so; a shop does it in a transaction. */
  private void payBack(String paymentRef) {
    if (paidBack.add(paymentRef)) {
      provider.accept(paymentRef);
    }
  }

  /** The buyer gives up. */
  public void cancel(String userId, String orderToken) {
    sluice.cancel(Caller.user(userId), orderToken);
  }

  /** Hears the next events; one thread of the shop's own calls it again and again. */
  public void listen() {
    try {
      EventPage page = sluice.events(storedCursor(), PAGE, Duration.ofSeconds(25));
      page.events().forEach(this::heard);
      store(page.next()); // Only now: a page may come twice, and none is lost.
    } catch (RefusedException e) {
      if (!e.word().equals("events-gone")) {
        throw e;
      }
      readAgain();
    }
  }

  private void heard(Event event) {
    event.orderToken().ifPresent(token -> takeOver(token, event));
    switch (event.type()) {
      case "PAYMENT_LATE" -> event.text("payment_ref").ifPresent(this::payBack);
      case "PAYMENT_DOUBLE" -> event.text("double_ref").ifPresent(this::payBack);
      default -> {} // More types may be added.
    }
  }

  /** Older events may come again after newer ones. */
  private void takeOver(String orderToken, Event event) {
    if (event.version() > versions.getOrDefault(orderToken, 0L)) {
      versions.put(orderToken, event.version());
      statuses.put(orderToken, event.status());
    }
  }

  /** Events are lost to this shop: it rested for longer than they are kept. */
  private void readAgain() {
    String newest = sluice.events("newest", 1, Duration.ZERO).next();
    statuses.replaceAll((orderToken, old) -> sluice.order(orderToken).status());
    store(newest);
  }

  /** What the shop knows of an order. */
  public Optional<Order.Status> status(String orderToken) {
    return Optional.ofNullable(statuses.get(orderToken));
  }

  private String storedCursor() {
    try {
      return Files.exists(cursor) ? Files.readString(cursor) : "0";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void store(String next) {
    try {
      Files.writeString(cursor, next);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
