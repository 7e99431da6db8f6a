package io.sluice.auth;

import io.sluice.auth.JwtVerifier.SignatureCredit;
import io.sluice.auth.JwtVerifier.Verdict;
import io.sluice.auth.TrustedCallers.BearerToken;
import io.sluice.config.AuthConfig;
import io.sluice.config.Cidr;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.ProblemType;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the callers of the public port: a buyer, or the back office. Used by one event loop.
 */
public final class Callers {
  private static final String OFFICE = "the back office";

  private final Identity identity;
  private final TrustedCallers office;

  /**
   * @param host that the public port listens on
   * @param verifier of tokens; null if no key is configured
   * @param senders the credit of whom a call comes from, if buyers carry tokens
   */
  public Callers(
      AuthConfig config,
      String host,
      @Nullable JwtVerifier verifier,
      Function<HttpServerRequest, SignatureCredit> senders) {
    this.identity =
        config.isJwt()
            ? new JwtIdentity(config, Objects.requireNonNull(verifier), senders)
            : new HeaderIdentity(config);
    List<String> tokens = config.serviceTokens();
    this.office =
        new TrustedCallers(
            new TrustedCallers.Port(
                OFFICE, "auth.service_token", "http.host", host, config.userHeader()),
            tokens.isEmpty() ? Map.of() : Map.of(OFFICE, tokens));
  }

  /**
   * Admits the back office on the public port: the shop's own programs, which confirm, refund, and
   * see every order.
   */
  public Guard backOffice() {
    return this::noOffice;
  }

  private @Nullable Problem noOffice(Exchange call) {
    return isBackOffice(call) ? null : office.refusal(call.request());
  }

  /** Admits calls with a buyer's identity; {@link #buyer} then reads it. */
  public Guard buyers() {
    return identity;
  }

  /**
   * Admits buyers and the back office, whose token is looked at first: if both travel as a bearer
   * token, it is no buyer's.
   */
  public Guard buyersAndBackOffice() {
    return call -> {
      Problem noOffice = noOffice(call);
      Problem noBuyer = noOffice == null ? null : identity.refusal(call);
      return noBuyer != null && noOffice != null && noBuyer.type() == ProblemType.UNAUTHORIZED
          ? Problem.of(ProblemType.UNAUTHORIZED, noBuyer.detail() + ". Or: " + noOffice.detail())
          : noBuyer;
    };
  }

  /** The buyer's id. The call must have been admitted by {@link #buyers}. */
  public String buyer(Exchange call) {
    return identity.buyer(call);
  }

  /** Whether a call that was admitted is the back office's. */
  public boolean isBackOffice(Exchange call) {
    return office.name(call.request()) != null;
  }

  /**
   * Who acts on an order.
   *
   * @param buyer null for the back office, which may see and change all orders
   */
  public record Actor(@Nullable String buyer) {

    public boolean isBackOffice() {
      return buyer == null;
    }

    /** Whether the actor may see and change this order. */
    public boolean mayAct(Order order) {
      return buyer == null || order.userId().equals(buyer);
    }
  }

  /** The actor of a call that {@link #buyersAndBackOffice} has admitted. */
  public Actor actor(Exchange call) {
    return new Actor(isBackOffice(call) ? null : buyer(call));
  }

  /**
   * Identifies the buyer of a call; one implementation per {@code auth.mode}. Used by one event
   * loop.
   */
  private interface Identity extends Guard {
    /**
     * The buyer's id. The call must not have been refused.
     *
     * @throws BadInputException if the header is there but invalid
     */
    String buyer(Exchange call);
  }

  /**
   * Identifies the buyer by the header that a gateway sets; accepted only from a gateway's address.
   */
  private static final class HeaderIdentity implements Identity {
    private final String headerName;
    private final CharSequence header;
    private final List<Cidr> gateways;
    private final Problem missing;
    private final Problem notTheGateway;

    /** Whether a connection is a gateway's. Cached, since its address never changes. */
    private final Map<HttpConnection, Boolean> verdicts = new WeakHashMap<>();

    HeaderIdentity(AuthConfig config) {
      this.headerName = config.userHeader();
      this.header = HttpHeaders.createOptimized(config.userHeader());
      this.gateways = config.trustedProxies();
      this.missing =
          Problem.of(
              ProblemType.UNAUTHORIZED,
              "Expected the header " + headerName + ", which the gateway sets, but it is missing");
      this.notTheGateway =
          Problem.of(
              ProblemType.UNAUTHORIZED,
              "Expected "
                  + headerName
                  + " from a gateway of auth.trusted_proxies, but the call comes from another"
                  + " address");
    }

    @Override
    public @Nullable Problem refusal(Exchange call) {
      HttpServerRequest request = call.request();
      if (!request.headers().contains(header)) {
        return missing;
      }
      return isGateway(request.connection()) ? null : notTheGateway;
    }

    private boolean isGateway(HttpConnection connection) {
      Boolean known = verdicts.get(connection);
      if (known == null) {
        known = Cidr.anyContains(gateways, connection.remoteAddress().hostAddress());
        verdicts.put(connection, known);
      }
      return known;
    }

    /**
     * Reads the buyer's id. More than one header is refused: one of them might be set by the
     * caller, in addition to the gateway's.
     */
    @Override
    public String buyer(Exchange call) {
      List<String> users = call.request().headers().getAll(header);
      if (users.size() != 1 || !Limits.isUserId(users.get(0)) || Limits.isDots(users.get(0))) {
        throw new BadInputException(
            headerName,
            "Expected one "
                + headerName
                + " of 1 to "
                + Limits.USER_ID_MAX
                + " visible ASCII characters, not . or .., but got another");
      }
      return users.get(0);
    }
  }

  /** Identifies the buyer by a signed token that the call carries; no header names a buyer then. */
  static final class JwtIdentity implements Identity {
    private static final String EXPECTED = "Expected a token with ";
    private static final Problem MISSING =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            "Expected the buyer's token as one Authorization: Bearer, but there is none");

    private final JwtVerifier verifier;
    private final Function<HttpServerRequest, SignatureCredit> senders;
    private final Claims.Rule rule;
    private final Map<JwtFault, Problem> problems = new EnumMap<>(JwtFault.class);

    JwtIdentity(
        AuthConfig config,
        JwtVerifier verifier,
        Function<HttpServerRequest, SignatureCredit> senders) {
      this.verifier = verifier;
      this.senders = senders;
      this.rule = Claims.Rule.buyer(config);
      for (JwtFault fault : JwtFault.values()) {
        problems.put(
            fault,
            fault == JwtFault.BUSY
                ? Problem.retry(ProblemType.BUSY, EXPECTED + fault.detail(), 1)
                : Problem.of(ProblemType.UNAUTHORIZED, EXPECTED + fault.detail()));
      }
    }

    @Override
    public @Nullable Problem refusal(Exchange call) {
      HttpServerRequest request = call.request();
      String token = BearerToken.of(request);
      if (token == null) {
        return MISSING;
      }
      SignatureCredit credit = senders.apply(request);
      Verdict verdict = verifier.verify(token, rule, credit);
      if (verdict instanceof Verdict.Invalid invalid) {
        return invalid.fault() == JwtFault.SENDER
            ? credit.refusal()
            : problems.get(invalid.fault());
      }
      call.identified(user(((Verdict.Valid) verdict).claims()));
      return null;
    }

    private static String user(Claims claims) {
      String user = claims.user();
      if (user == null) {
        throw new IllegalStateException(
            "Expected a token with a user, but the rule let another by");
      }
      return user;
    }

    /** A token is verified once for a call. */
    @Override
    public String buyer(Exchange call) {
      String buyer = call.buyer();
      if (buyer == null) {
        throw new IllegalStateException("Expected a call that was admitted, but it was not");
      }
      return buyer;
    }
  }
}
