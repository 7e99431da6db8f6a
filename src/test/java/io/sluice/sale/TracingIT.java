package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.trace.Collector;
import io.sluice.testkit.trace.SeenSpan;
import io.sluice.tracing.TraceContext;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One trace of an order, as a collector sees it, from two instances. */
class TracingIT {
  private static final Collector collector = Collector.start();

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          .setting("SLUICE_TRACING_ENDPOINT", collector.endpoint())
          .setting("SLUICE_TRACING_SAMPLE_ONE_IN", 1)
          .setting("SLUICE_TRACING_LINK", "https://traces.example/{trace_id}");

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @AfterAll
  static void close() {
    collector.close();
  }

  @Test
  @Moves("sluice_trace_spans_total")
  void shouldShowOneTraceFromTheRequestToTheReleaseWhenNobodyPays() {
    // given
    Sale sale = site.sale().withStock(3).withPaymentWindow(Duration.ofSeconds(2)).open();

    // when
    Answer answer = sale.order(ALICE, "k1");

    // then
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    String token = answer.json().getString("order_token");
    TraceContext order = TraceContext.ofOrder(token);
    await().atMost(LIMIT).until(() -> names(order).contains("redis release"));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(names(order))
                    .containsExactlyInAnyOrder(
                        "place",
                        "redis reserve",
                        "order log append",
                        "ledger apply",
                        "event publish",
                        "ledger apply",
                        "event publish",
                        "redis release"));
    checkTree(order);
    checkBatches(order);
    checkTopics(token, order);
    assertThat(sale.story(token).json().getJsonObject("trace"))
        .isEqualTo(
            new JsonObject()
                .put("id", order.traceId())
                .put("sampled", true)
                .put("url", "https://traces.example/" + order.traceId()));
  }

  private static List<String> names(TraceContext order) {
    return collector.trace(order.traceId()).stream().map(SeenSpan::name).toList();
  }

  /** The first span is the request; booking is below the append whose record it booked. */
  private static void checkTree(TraceContext order) {
    List<SeenSpan> trace = collector.trace(order.traceId());
    SeenSpan first = only(trace, "place");
    SeenSpan append = only(trace, "order log append");
    assertThat(first.spanId()).isEqualTo(order.spanId());
    assertThat(first.parentSpanId()).isEmpty();
    assertThat(first.attributes()).containsEntry("http.response.status_code", "201");
    assertThat(trace)
        .filteredOn(span -> !span.equals(first))
        .extracting(SeenSpan::parentSpanId)
        .containsOnly(first.spanId(), append.spanId());
    assertThat(trace)
        .filteredOn(span -> span.parentSpanId().equals(append.spanId()))
        .extracting(SeenSpan::name)
        .containsExactly("ledger apply");
    assertThat(trace).noneMatch(SeenSpan::failed);
    assertThat(trace).allMatch(span -> span.endNanos() >= span.startNanos());
    assertThat(append.startNanos()).isGreaterThanOrEqualTo(first.startNanos());
  }

  private static SeenSpan only(List<SeenSpan> trace, String name) {
    List<SeenSpan> named = trace.stream().filter(span -> span.name().equals(name)).toList();
    assertThat(named).hasSize(1);
    return named.get(0);
  }

  /** Each step is linked with the span of its batch, and back. */
  private static void checkBatches(TraceContext order) {
    List<SeenSpan> steps =
        collector.trace(order.traceId()).stream()
            .filter(span -> !span.name().equals("place"))
            .toList();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              Map<String, SeenSpan> all =
                  collector.spans().stream()
                      .collect(Collectors.toMap(SeenSpan::place, Function.identity()));
              for (SeenSpan step : steps) {
                assertThat(step.links()).hasSize(1);
                SeenSpan batch = all.get(step.links().get(0));
                assertThat(batch).as("the batch of %s", step).isNotNull();
                assertThat(batch.name()).isEqualTo(step.name() + " batch");
                assertThat(batch.links()).contains(step.place());
              }
            });
  }

  private static void checkTopics(String token, TraceContext order) {
    List<Entry> events =
        site.topics().all(site.eventsTopic()).stream()
            .filter(entry -> token.equals(entry.key()))
            .toList();
    assertThat(events).hasSizeGreaterThanOrEqualTo(2);
    assertThat(events)
        .extracting(event -> TraceContext.sampled(event.traceparent()).traceId())
        .containsOnly(order.traceId());
    SeenSpan append = only(collector.trace(order.traceId()), "order log append");
    assertThat(site.topics().all(site.ordersTopic()))
        .flatExtracting(entry -> entry.json().getJsonArray("commands", new JsonArray()).getList())
        .extracting(command -> ((Map<?, ?>) command).get("trace"))
        .contains("00-" + order.traceId() + "-" + append.spanId() + "-01");
  }

  @Test
  void shouldAddThePaymentToTheTraceWhenAnotherInstanceGetsIt() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.at(site.instance(0)).order(ALICE, "k1").json().getString("order_token");

    // when
    Answer paid = sale.at(site.instance(1)).pay(token);

    // then
    assertThat(paid.status()).as("%s", paid).isEqualTo(200);
    TraceContext order = TraceContext.ofOrder(token);
    await().atMost(LIMIT).until(() -> names(order).contains("confirm"));
    assertThat(only(collector.trace(order.traceId()), "confirm").parentSpanId())
        .isEqualTo(order.spanId());
  }
}
