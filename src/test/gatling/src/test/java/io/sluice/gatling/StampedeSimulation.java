package io.sluice.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A sale against any URL: buyers arrive whether they are served or not, ramp up to a stampede, and
 * go on; whoever gets a unit pays, cancels or looks. {@code -Durl -Dadmin -Dunits -Drate -Dseconds}.
 */
public class StampedeSimulation extends Simulation {
  private static final String URL = System.getProperty("url", "http://localhost:8080");
  private static final String ADMIN = System.getProperty("admin", "http://localhost:8081");
  private static final long SKU = Long.getLong("sku", System.currentTimeMillis());
  private static final int UNITS = Integer.getInteger("units", 5_000);
  private static final int RATE = Integer.getInteger("rate", 1_000);
  private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("seconds", 20));
  private static final Duration RAMP = Duration.ofSeconds(5);

  private final AtomicLong buyers = new AtomicLong();

  private final HttpProtocolBuilder protocol =
      http.baseUrl(URL).contentTypeHeader("application/json").shareConnections();

  private final ChainBuilder order =
      exec(
          http("order")
              .post("/v1/orders")
              .header("X-User-Id", "#{buyer}")
              .body(StringBody("{\"sku_id\":" + SKU + ",\"qty\":1}"))
              // A refusal is an answer; accepts and refusals are told apart by what follows.
              .check(status().in(201, 409).saveAs("status"))
              .check(jsonPath("$.order_token").optional().saveAs("token")));

  private final ChainBuilder pay =
      exec(http("pay").post("/v1/orders/#{token}/confirm").check(status().in(200, 202)));

  private final ChainBuilder cancel =
      exec(
          http("cancel")
              .post("/v1/orders/#{token}/cancel")
              .header("X-User-Id", "#{buyer}")
              .check(status().in(200, 202)));

  private final ChainBuilder poll =
      exec(
          http("poll")
              .get("/v1/orders/#{token}?wait=1")
              .header("X-User-Id", "#{buyer}")
              .check(status().is(200)));

  private final ScenarioBuilder buyer =
      scenario("buyer")
          .exec(this::named)
          .exec(order)
          .exec(
              doIf(session -> session.contains("token"))
                  .then(
                      randomSwitch()
                          .on(
                              percent(70.0).then(exec(pay, poll)),
                              percent(10.0).then(cancel),
                              percent(20.0).then(poll))));

  public StampedeSimulation() {
    setUp(
            buyer.injectOpen(
                rampUsersPerSec(1).to(RATE).during(RAMP), constantUsersPerSec(RATE).during(LENGTH)))
        .protocols(protocol)
        .assertions(details("order").failedRequests().percent().lt(0.1));
  }

  /** Opens the sale. */
  @Override
  public void before() {
    HttpRequest put =
        HttpRequest.newBuilder(URI.create(ADMIN + "/admin/skus/" + SKU))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"total_stock\":" + UNITS + "}"))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .sendAsync(put, HttpResponse.BodyHandlers.ofString())
            .orTimeout(30, java.util.concurrent.TimeUnit.SECONDS)
            .join();
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException("The sale cannot be opened: " + answer.body());
    }
  }

  private Session named(Session session) {
    return session.set("buyer", "gatling-" + SKU + "-" + buyers.incrementAndGet());
  }
}
