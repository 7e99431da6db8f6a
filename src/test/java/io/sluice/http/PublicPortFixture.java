package io.sluice.http;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.auth.Callers;
import io.sluice.auth.JwtVerifier;
import io.sluice.auth.KeyRing;
import io.sluice.auth.Tickets;
import io.sluice.config.AuthConfig;
import io.sluice.config.Cidr;
import io.sluice.config.Config;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.config.Config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.http.PublicPort.Routes;
import io.sluice.metrics.Meters;
import io.sluice.openapi.ContractAnswers;
import io.sluice.openapi.ContractFile;
import io.sluice.order.SaleLevels.SaleLevel;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.web.Contract;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The public port on a free port of this host, with {@link FakeOrders} behind it. Opening it takes
 * longer than most tests: as the extension of a class it is open until all are through, and what is
 * behind it is reset before each.
 */
final class PublicPortFixture implements AutoCloseable, BeforeEachCallback, AfterAllCallback {
  static final String BODY = "{\"sku_id\":1001,\"qty\":1}";
  static final String TOKEN = "the-office-token";
  static final AuthConfig LOCAL_BACK_OFFICE = auth("X-User-Id", "");
  static final AuthConfig TOKEN_BACK_OFFICE = auth("X-User-Id", TOKEN + ",its-other-token-");

  private static final ContractAnswers CONTRACT =
      new ContractAnswers(ContractFile.of(Contract.PUBLIC));

  final Vertx vertx = Vertx.vertx();
  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final Meters meters = new Meters(registry);
  final FakeOrders orders = new FakeOrders();
  final PublicPort port;
  final HttpProbe probe;
  volatile Future<Optional<SaleLevel>> saleLevel = Future.succeededFuture(Optional.empty());
  volatile Future<Optional<SkuLevel>> level = Future.succeededFuture(Optional.empty());

  /** The nanoseconds of the limits' clock. */
  volatile long nanos;

  final BannedBuyers banned = new BannedBuyers(() -> nanos);
  private final AuthConfig auth;
  private final String host;
  private volatile AdmissionConfig admission = admission(0, 0, 0, 0);
  private volatile LongSupplier signatureClock = System::nanoTime;

  private PublicPortFixture(AuthConfig auth, String host, HttpConfig config, RequestTraces traces) {
    this.auth = auth;
    this.host = host;
    this.port = HttpProbe.await(PublicPort.open(vertx, config, auth, meters, traces));
    this.probe = new HttpProbe(port.port(), CONTRACT::check);
  }

  /** With gateways at the default addresses. */
  static AuthConfig auth(String userHeader, String serviceToken) {
    return auth(userHeader, Config.defaults().auth().trustedProxies(), serviceToken);
  }

  static AuthConfig auth(String userHeader, List<Cidr> gateways, String serviceToken) {
    return new AuthConfig(
        "header", userHeader, gateways, serviceToken, "", "", "", "", "", "", "sub");
  }

  private static HttpConfig http(
      int connectionsMax, int perAddress, int bodyTimeoutS, int pollsMax, TlsFiles tls) {
    return http(1, 100, connectionsMax, perAddress, bodyTimeoutS, pollsMax, tls);
  }

  private static HttpConfig http(
      int loops,
      int queueMax,
      int connectionsMax,
      int perAddress,
      int bodyTimeoutS,
      int pollsMax,
      TlsFiles tls) {
    return new HttpConfig(
        "127.0.0.1",
        0,
        loops,
        queueMax,
        connectionsMax,
        perAddress,
        bodyTimeoutS,
        pollsMax,
        16_384,
        tls);
  }

  /** A port that listens, and does not serve yet. */
  static PublicPortFixture opened(AuthConfig auth, int loops, int queueMax) {
    return new PublicPortFixture(
        auth,
        "127.0.0.1",
        http(loops, queueMax, 1_000, 0, 10, 100, TlsFiles.NONE),
        RequestTraces.OFF);
  }

  static PublicPortFixture serving(AuthConfig auth) {
    return serving(auth, "127.0.0.1");
  }

  /** A port that is said to listen on this host. */
  static PublicPortFixture serving(AuthConfig auth, String host) {
    return new PublicPortFixture(
            auth, host, http(1_000, 0, 10, 100, TlsFiles.NONE), RequestTraces.OFF)
        .serve();
  }

  /** A port whose requests are recorded. */
  static PublicPortFixture traced(RequestTraces traces) {
    return new PublicPortFixture(
            TOKEN_BACK_OFFICE, "127.0.0.1", http(100, 0, 10, 100, TlsFiles.NONE), traces)
        .serve();
  }

  /** A port of one event loop with these limits. */
  static PublicPortFixture limited(
      int connectionsMax, int bodyTimeoutS, int pollsMax, TlsFiles tls) {
    return new PublicPortFixture(
            LOCAL_BACK_OFFICE,
            "127.0.0.1",
            http(connectionsMax, 0, bodyTimeoutS, pollsMax, tls),
            RequestTraces.OFF)
        .serve();
  }

  /** A port to which these proxies, and of others each address, may have so many connections. */
  static PublicPortFixture ofAddresses(List<Cidr> proxies, int perAddress) {
    AuthConfig auth = auth("X-User-Id", proxies, TOKEN);
    return new PublicPortFixture(
            auth, "127.0.0.1", http(100, perAddress, 10, 100, TlsFiles.NONE), RequestTraces.OFF)
        .serve();
  }

  /** Limits of calls a second, orders of a SKU a second, of a buyer and an address a minute. */
  static AdmissionConfig admission(int instance, int sku, int buyer, int address) {
    return new AdmissionConfig(instance, sku, buyer, address, 3, 600, 1_800, 20);
  }

  /** A port with these limits, and a clock that stands still. */
  static PublicPortFixture limited(AdmissionConfig admission) {
    return limited(TOKEN_BACK_OFFICE, admission, System::nanoTime);
  }

  /**
   * The same for buyers with tokens.
   *
   * @param signatureClock by which the time is measured that signatures take
   */
  static PublicPortFixture limited(
      AuthConfig auth, AdmissionConfig admission, LongSupplier signatureClock) {
    PublicPortFixture fixture = opened(auth, 1, 100);
    fixture.admission = admission;
    fixture.signatureClock = signatureClock;
    return fixture.serve();
  }

  PublicPortFixture serve() {
    HttpProbe.await(port.serve(() -> Future.succeededFuture(routes())));
    return this;
  }

  Routes routes() {
    CallLimits limits =
        new CallLimits(
            new AdmissionLimits(admission, auth.trustedProxies(), banned, () -> nanos, meters));
    JwtVerifier verifier = verifier();
    return new Routes(
        new OrderRoutes(
            new Callers(auth, host, verifier, limits.senders()),
            limits,
            new Tickets(verifier, auth.issuer()),
            orders,
            orders,
            orders,
            meters),
        new LevelRoutes(limits, skuId -> level, (saleId, after, limit) -> saleLevel));
  }

  private JwtVerifier verifier() {
    KeyRing keys = KeyRing.open(auth, signatureClock);
    return keys == null ? null : new JwtVerifier(keys, auth.userClaim(), InstantSource.system());
  }

  /** Places an order of alice's. */
  Answer place() {
    return HttpProbe.await(placeLater());
  }

  /** Places an order of this buyer, with these headers as well. */
  Answer order(String body, String buyer, String... headers) {
    String[] all =
        Stream.concat(Stream.of("X-User-Id", buyer), Stream.of(headers)).toArray(String[]::new);
    return probe.json("POST", "/v1/orders", body, all);
  }

  /** The limit that refused a call, else the status. */
  static String policy(Answer answer) {
    String policy = answer.header("ratelimit-policy");
    return policy == null
        ? String.valueOf(answer.status())
        : policy.substring(1, policy.indexOf('"', 1));
  }

  CompletableFuture<Answer> placeLater() {
    return probe.sendLater(
        "POST",
        "/v1/orders",
        BodyPublishers.ofString(BODY),
        "X-User-Id",
        "alice",
        "Content-Type",
        "application/json");
  }

  /** Requests in flight. */
  int inFlight() {
    return gauge("sluice_http_requests_in_flight");
  }

  /** The value of a gauge. */
  int gauge(String name) {
    return (int) registry.get(name).gauge().value();
  }

  /** How many connections were closed for this reason. */
  double dropped(String reason) {
    return registry.counter("sluice_http_connections_dropped", "reason", reason).count();
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    orders.reset();
    saleLevel = Future.succeededFuture(Optional.empty());
    level = Future.succeededFuture(Optional.empty());
  }

  @Override
  public void afterAll(ExtensionContext tests) {
    close();
  }

  @Override
  public void close() {
    HttpProbe.await(vertx.close());
  }
}
