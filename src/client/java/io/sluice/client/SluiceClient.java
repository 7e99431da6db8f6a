package io.sluice.client;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The calls of Sluice's public port, and the events of its management port.
 *
 * <p><b>Each call is repeated</b> after 503, 500, 429, 425, 408, 202 and a lost connection, with
 * the same key and the same body, after what {@code Retry-After} says and a random pause, until an
 * answer tells the outcome or the {@linkplain Builder#deadline deadline} has passed. So each call
 * blocks its thread up to that long.
 *
 * <p><b>Errors.</b> Each call throws one of three:
 *
 * <ul>
 *   <li>{@link RefusedException}: the service said no, with a problem; nothing was changed;
 *   <li>{@link OutcomeUnknownException}, of calls that change something: it may have been done.
 *       Make the same call again;
 *   <li>{@link UnavailableException}: there was no answer, and nothing was changed.
 * </ul>
 *
 * An interrupt of the thread ends a call as its deadline does; the thread stays interrupted. Values
 * of this package check their ranges ({@link IllegalArgumentException}); the service checks the
 * rest, and refuses it with {@code bad-request}.
 *
 * <p>Make one client and share it: it is safe for use by many threads, and keeps connections.
 */
public final class SluiceClient {
  private static final int COMMANDS_MAX = 500;

  /** Of one request for an order that has not changed; a change between two is seen that late. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  /** What an answer takes beside the wait that it was asked for. */
  private static final Duration ANSWER_TIME = Duration.ofMillis(200);

  private final Retries retries;
  private final String port;
  private final Caller office;
  private final String management;
  private final Caller operator;
  private final Duration deadline;

  private SluiceClient(
      Retries retries,
      String port,
      Caller office,
      String management,
      Caller operator,
      Duration deadline) {
    this.retries = retries;
    this.port = port;
    this.office = office;
    this.management = management;
    this.operator = operator;
    this.deadline = deadline;
  }

  /**
   * A client of the public port at this address.
   *
   * @param port such as {@code http://sluice:8080}, of {@code http} or {@code https}; also with a
   *     path, if a gateway puts one in front
   */
  public static Builder to(URI port) {
    return new Builder(port);
  }

  /** The settings of a client. */
  public static final class Builder {
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final String port;
    private Caller office = Caller.local();
    private String management = "";
    private Caller operator = Caller.local();
    private Duration deadline = DEADLINE;
    private Duration tryTimeout = TRY_TIMEOUT;
    private Optional<HttpClient> http = Optional.empty();

    private Builder(URI port) {
      this.port = address(port);
    }

    /**
     * Who makes the calls of the back office: one of {@code auth.service_token}. Without it, {@link
     * Caller#local()}.
     */
    public Builder office(Caller caller) {
      office = caller;
      return this;
    }

    /**
     * Where {@link SluiceClient#events} are, and who asks for them: an operator with the role
     * {@code support}.
     */
    public Builder management(URI itsPort, Caller itsOperator) {
      management = address(itsPort);
      operator = itsOperator;
      return this;
    }

    /** How long a call may take, with all its tries; 1 ms to 1 day, 30 s by default. */
    public Builder deadline(Duration time) {
      deadline = checked(time);
      return this;
    }

    /** How long one try may take, without a wait that was asked for; 10 s by default. */
    public Builder tryTimeout(Duration time) {
      tryTimeout = checked(time);
      return this;
    }

    /** A client with a trust store, a proxy or threads of its own. Its version does not matter. */
    public Builder http(HttpClient client) {
      http = Optional.of(client);
      return this;
    }

    /** The client; later changes of these settings do not reach it. */
    public SluiceClient build() {
      HttpClient client =
          http.orElseGet(() -> HttpClient.newBuilder().connectTimeout(tryTimeout).build());
      Retries retries = new Retries(client, tryTimeout);
      return new SluiceClient(retries, port, office, management, operator, deadline);
    }

    private static Duration checked(Duration time) {
      if (time.toMillis() < 1 || time.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException("Expected 1 ms to 1 day, but got " + time);
      }
      return time;
    }

    private static String address(URI uri) {
      boolean fits =
          String.valueOf(uri.getScheme()).matches("https?")
              && uri.getHost() != null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      if (!fits) {
        throw new IllegalArgumentException("Expected http(s)://host:port, but got " + uri);
      }
      return uri.toString().replaceFirst("/+$", "");
    }
  }

  /** The same client with another deadline; 1 ms to 1 day. */
  public SluiceClient within(Duration time) {
    Duration checked = Builder.checked(time);
    return new SluiceClient(retries, port, office, management, operator, checked);
  }

  // ---- buyers

  /**
   * Places an order. Its yes is durable. The same purchase again has the same order, as it is then.
   *
   * <p>Refused with {@code sold-out}, {@code limit-reached}, {@code not-open}, {@code order-ended},
   * {@code key-mismatch}, {@code ticket-required}, {@code unknown-sku}, {@code not-together}; and,
   * if they last until the deadline, with {@code too-early} and {@code too-many-requests}.
   *
   * @return the order, to be paid before its {@code payBefore}
   */
  public Order place(Caller buyer, Purchase purchase) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Map<String, Object>> lines =
        purchase.lines().stream()
            .map(line -> Map.<String, Object>of("sku_id", line.skuId(), "qty", line.qty()))
            .toList();
    if (lines.size() == 1) {
      fields.putAll(lines.get(0));
    } else {
      fields.put("lines", lines);
    }
    purchase.reference().ifPresent(text -> fields.put("reference", text));
    Request request = Request.post(uri("/v1/orders"), buyer, fields).withKey(purchase.key());
    return ask(purchase.ticket().map(request::withTicket).orElse(request));
  }

  /** The order, of its own buyer. Refused with {@code unknown-order} to all others. */
  public Order order(Caller buyer, String orderToken) {
    return order(buyer, orderToken, Duration.ZERO, Deadline.in(deadline));
  }

  /** The order, of the back office. Refused with {@code unknown-order} if there is none. */
  public Order order(String orderToken) {
    return order(office, orderToken);
  }

  /**
   * Waits until the order is as wanted, such as {@code order -> !order.status().isUnpaid()}.
   *
   * @param atMost how long, 1 ms to 1 day; the deadline of other calls does not count
   * @return the order as it was seen last: as wanted, or else after that time
   */
  public Order awaitOrder(
      Caller caller, String orderToken, Predicate<Order> wanted, Duration atMost) {
    Deadline end = Deadline.in(Builder.checked(atMost));
    Order order = order(caller, orderToken, Duration.ZERO, end);
    for (int tries = 1; !wanted.test(order); tries++) {
      long leftS = end.left().minus(ANSWER_TIME).toSeconds();
      Duration wait = Duration.ofSeconds(Math.min(leftS, WAIT_MAX.toSeconds()));
      if (leftS < 1) {
        return order;
      }
      Deadline early = Deadline.in(wait.dividedBy(2));
      Order next;
      try {
        next = order(caller, orderToken, wait, end);
      } catch (SluiceException e) {
        if (e.isRetryable()) {
          return order;
        }
        throw e;
      }
      boolean idle = next.status() == order.status() && !early.isWithin(Duration.ZERO);
      order = next;
      // Not every service waits: one that has no place for it answers at once.
      if (idle && !retries.pause(tries, Duration.ZERO, end)) {
        return order;
      }
    }
    return order;
  }

  /**
   * A page of the buyer's own orders, those that wait for their payment first. An order is among
   * them once its event was sent, mostly within a second.
   *
   * @param after the {@code next} of the page before; none for the first one
   * @param limit how many to look at, 1 to 100
   */
  public OrderPage orders(Caller buyer, Optional<String> after, int limit) {
    String query = "?limit=" + limit + after.map(place -> "&after=" + encoded(place)).orElse("");
    Request request = Request.get(uri("/v1/orders" + query), buyer, Duration.ZERO);
    return retries.ask(request, Deadline.in(deadline), OrderPage::of);
  }

  /**
   * Ends an order of the buyer that is not paid. Refused with {@code already-confirmed}, {@code
   * already-refunded}, {@code order-ended}, {@code archived}, {@code unknown-order}.
   */
  public Order cancel(Caller buyer, String orderToken) {
    return change(buyer, orderToken, "/cancel", Map.of());
  }

  // ---- everybody

  /** Whether a SKU sells. Refused with {@code unknown-sku}. */
  public SkuLevel sku(long skuId) {
    Request request = Request.get(uri("/v1/skus/" + skuId), Caller.local(), Duration.ZERO);
    return retries.ask(request, Deadline.in(deadline), SkuLevel::of);
  }

  /**
   * Whether a sale sells, with a page of its SKUs. Refused with {@code unknown-sale}.
   *
   * @param after the page begins behind this SKU; 0 for the first one
   * @param limit 1 to 100 SKUs
   */
  public SaleLevel sale(String saleId, long after, int limit) {
    String path = "/v1/sales/" + encoded(saleId) + "?after=" + after + "&limit=" + limit;
    Request request = Request.get(uri(path), Caller.local(), Duration.ZERO);
    return retries.ask(request, Deadline.in(deadline), SaleLevel::of);
  }

  // ---- the back office

  /** The same as {@link #confirm(String, String)}, of a payment without a name. */
  public Order confirm(String orderToken) {
    return change(office, orderToken, "/confirm", Command.confirm(orderToken).fields());
  }

  /**
   * Reports that an order is paid. It may be repeated: a payment is known by its name.
   *
   * <p>Refused with {@code payment-late}, {@code unknown-order}, {@code already-confirmed}, {@code
   * already-refunded}, {@code archived}: then the payment that {@link Problem#paymentToReturn}
   * names must be paid back, once.
   *
   * @param paymentRef the payment's own name: 1 to 128 visible ASCII characters
   * @return the confirmed order
   */
  public Order confirm(String orderToken, String paymentRef) {
    Map<String, Object> fields = Command.confirm(orderToken, paymentRef).fields();
    return change(office, orderToken, "/confirm", fields);
  }

  /**
   * Gives the buyer more time to pay: at least so much from now on, never less than before. A
   * repeated try counts from its own arrival.
   *
   * <p>Refused with {@code already-confirmed}, {@code already-refunded}, {@code order-ended},
   * {@code archived}, {@code unknown-order}.
   *
   * @param extension 1 s to 1 day, in whole seconds
   * @return the order with its new {@code payBefore}
   */
  public Order extend(String orderToken, Duration extension) {
    Map<String, Object> fields = Command.extend(orderToken, extension).fields();
    return change(office, orderToken, "/extend", fields);
  }

  /** Ends an order that is not paid, by the back office; refused as that of its buyer is. */
  public Order cancel(String orderToken) {
    return cancel(office, orderToken);
  }

  /**
   * Reports that all of an order, or what is left of it, is paid back. Refused with {@code
   * not-confirmed}, {@code archived}, {@code unknown-order}.
   */
  public Order refund(String orderToken) {
    return refund(orderToken, true);
  }

  /**
   * The same. The first call decides what becomes of the units.
   *
   * @param restock whether they are sold again; else they leave the stock, which is refused with
   *     {@code busy} while an older instance may run
   */
  public Order refund(String orderToken, boolean restock) {
    return change(office, orderToken, "/refund", Command.restock(restock));
  }

  /**
   * Requests the refund of some units, before the money goes back.
   *
   * <p>Refused with {@code not-confirmed}, {@code refund-exceeds}, {@code key-mismatch}, {@code
   * already-refunded}, {@code archived}, {@code unknown-order}.
   *
   * @param refundId the shop's name for it: 1 to 48 letters, digits and {@code _.:-}
   * @param units 1 to 1000
   * @param skuId the line that it is about; needed if the order has several
   */
  public Order requestRefund(String orderToken, String refundId, int units, Optional<Long> skuId) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("refund_id", refundId);
    fields.put("qty", units);
    skuId.ifPresent(id -> fields.put("sku_id", id));
    return change(office, orderToken, "/refunds", fields);
  }

  /**
   * Reports that the money of a requested refund is paid back. Refused with {@code refund-ended},
   * {@code not-confirmed}, {@code unknown-refund}, {@code archived}, {@code unknown-order}.
   */
  public Order completeRefund(String orderToken, String refundId) {
    return completeRefund(orderToken, refundId, true);
  }

  /**
   * The same. The first call decides what becomes of the units.
   *
   * @param restock as of {@link #refund(String, boolean)}
   */
  public Order completeRefund(String orderToken, String refundId, boolean restock) {
    String path = "/refunds/" + encoded(refundId) + "/complete";
    return change(office, orderToken, path, Command.restock(restock));
  }

  /** Drops a requested refund; refused as {@link #completeRefund(String, String)} is. */
  public Order rejectRefund(String orderToken, String refundId) {
    String path = "/refunds/" + encoded(refundId) + "/reject";
    return change(office, orderToken, path, Map.of());
  }

  /**
   * Runs many commands in one request. Those that are answered 503 are repeated, alone, until the
   * deadline; a list that had no answer is repeated whole. The commands of one order run in the
   * order of the list.
   *
   * @param commands 1 to 500
   * @return what each was answered, in its place; look for {@link CommandResult#isOpen}
   */
  public List<CommandResult> run(List<Command> commands) {
    if (commands.isEmpty() || commands.size() > COMMANDS_MAX) {
      throw new IllegalArgumentException("Expected 1 to 500 commands, but got " + commands.size());
    }
    Deadline end = Deadline.in(deadline);
    List<CommandResult> results = new ArrayList<>();
    List<Integer> left = IntStream.range(0, commands.size()).boxed().toList();
    for (int tries = 1; ; tries++) {
      List<CommandResult> answered;
      try {
        answered = run(left.stream().map(commands::get).toList(), end);
      } catch (SluiceException e) {
        if (results.isEmpty()) {
          throw e;
        }
        return List.copyOf(results);
      }
      if (results.isEmpty()) {
        results.addAll(answered);
      }
      for (int i = 0; i < left.size(); i++) {
        results.set(left.get(i), answered.get(i));
      }
      left = left.stream().filter(place -> results.get(place).isRepeated()).toList();
      Duration after =
          left.stream()
              .map(place -> results.get(place).retryAfter())
              .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other);
      if (left.isEmpty() || !retries.pause(tries, after, end)) {
        return List.copyOf(results);
      }
    }
  }

  private List<CommandResult> run(List<Command> commands, Deadline end) {
    List<Map<String, Object>> list = commands.stream().map(Command::json).toList();
    Request request = Request.post(uri("/v1/orders/commands"), office, Map.of("commands", list));
    return retries.ask(request, end, json -> results(commands, json.objects("results")));
  }

  private static List<CommandResult> results(List<Command> commands, List<JsonObject> results) {
    if (results.size() != commands.size()) {
      throw new JsonException("Expected a result of each command, but got " + results.size());
    }
    return IntStream.range(0, commands.size())
        .mapToObj(i -> CommandResult.of(commands.get(i), results.get(i)))
        .toList();
  }

  /**
   * A page of events. Refused with {@code events-gone} if events behind the cursor are no longer
   * kept.
   *
   * @param after {@code 0} for the oldest event that is kept, {@code newest} for an empty page
   *     behind the newest one, else the {@code next} of a page
   * @param limit 1 to 500 events
   * @param wait how long to wait for an event if there is none: 0 to 30 s, in whole seconds
   * @throws IllegalStateException if the client has no {@link Builder#management}
   */
  public EventPage events(String after, int limit, Duration wait) {
    if (management.isEmpty()) {
      throw new IllegalStateException("Expected an address of the management port, but got none");
    }
    String path =
        "/admin/events?limit=%d&wait=%d&after=%s"
            .formatted(limit, wait.toSeconds(), encoded(after));
    Request request = Request.get(URI.create(management + path), operator, wait);
    return retries.ask(request, Deadline.in(deadline.plus(wait)), EventPage::of);
  }

  private Order order(Caller caller, String orderToken, Duration wait, Deadline end) {
    String query = wait.isZero() ? "" : "?wait=" + wait.toSeconds();
    Request request = Request.get(uri(path(orderToken) + query), caller, wait);
    return retries.ask(request, end, Order::of);
  }

  private Order change(Caller caller, String orderToken, String path, Map<String, Object> fields) {
    return ask(Request.post(uri(path(orderToken) + path), caller, fields));
  }

  private Order ask(Request request) {
    return retries.ask(request, Deadline.in(deadline), Order::of);
  }

  private URI uri(String path) {
    return URI.create(port + path);
  }

  private static String path(String orderToken) {
    return "/v1/orders/" + encoded(orderToken);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
