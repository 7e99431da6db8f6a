package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.sluice.testkit.fault.ReverseProxy;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * No token is set, and somebody has put a reverse proxy on the same machine in front of both ports:
 * nobody who comes through it is the back office or an operator.
 */
class ReverseProxyIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");

  /** A proxy, and the call of somebody at its other side. */
  private record Way(Function<String, ReverseProxy> proxy, UnaryOperator<Call> call) {}

  @TestFactory
  Stream<DynamicTest> shouldConfirmAndFreezeNothingForWhoComesThroughAProxy() {
    return ways().entrySet().stream()
        .map(way -> dynamicTest(way.getKey(), () -> check(way.getValue())));
  }

  /**
   * What no header shows nobody can tell: why tokens are to be set, and what the rows differ in.
   */
  @Test
  void shouldTakeAProxyThatLeavesNoMarkForAProgramOfThisMachine() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String confirm = "/v1/orders/" + sale.order(ALICE).token() + "/confirm";

    try (ReverseProxy shop = ReverseProxy.inFrontOf(site.instance(0).url()).namingItsTarget()) {
      // when
      Answer paid = site.http().ask(Call.post(shop.url() + confirm));

      // then
      assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    }
  }

  private static void check(Way way) {
    // given
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    String confirm = "/v1/orders/" + token + "/confirm";
    String freeze = "/admin/skus/" + sale.skuId() + "/freeze";

    try (ReverseProxy shop = way.proxy().apply(site.instance(0).url());
        ReverseProxy desk = way.proxy().apply(site.instance(0).adminUrl())) {
      // when
      Answer paid = site.http().ask(way.call().apply(Call.post(shop.url() + confirm)));
      Answer frozen = site.http().ask(way.call().apply(Call.post(desk.url() + freeze)));

      // then
      assertThat(paid.brief()).isEqualTo("401 unauthorized");
      assertThat(frozen.brief()).isEqualTo("401 unauthorized");
    }
    assertThat(sale.level().json().getString("state")).isEqualTo("OPEN");
    assertThat(sale.cancel(ALICE, token).brief()).isEqualTo("200 CANCELED");
  }

  private static Map<String, Way> ways() {
    Map<String, Way> ways = new LinkedHashMap<>();
    Function<String, ReverseProxy> plain = url -> ReverseProxy.inFrontOf(url).namingItsTarget();
    for (String[] mark :
        new String[][] {
          {"X-Forwarded-For", "192.0.2.1"},
          {"X-Forwarded-Host", "shop.example"},
          {"X-Forwarded-Proto", "https"},
          {"Forwarded", "for=192.0.2.1"},
          {"X-Real-IP", "192.0.2.1"},
          {"Via", "1.1 edge"},
        }) {
      ways.put(
          "it adds " + mark[0],
          new Way(url -> plain.apply(url).adding(mark[0], mark[1]), UnaryOperator.identity()));
      ways.put(
          "it forges the caller's " + mark[0],
          new Way(
              url -> plain.apply(url).forging(mark[0], "127.0.0.1"),
              call -> call.header(mark[0], mark[1])));
    }
    ways.put(
        "it passes Host on",
        new Way(ReverseProxy::inFrontOf, call -> call.header("Host", "shop.example")));
    ways.put(
        "it speaks HTTP/1.0 and adds nothing",
        new Way(
            url -> ReverseProxy.ofHttp10InFrontOf(url).namingItsTarget(),
            UnaryOperator.identity()));
    ways.put(
        "it takes the buyer from the caller", new Way(plain, call -> call.as(Buyer.named("eve"))));
    ways.put(
        "it drops the buyer and keeps the token",
        new Way(
            url -> plain.apply(url).dropping("X-User-Id"),
            call -> call.as(ALICE).header("Authorization", "Bearer of-something-else")));
    ways.putAll(browsers(plain));
    return ways;
  }

  private static Map<String, Way> browsers(Function<String, ReverseProxy> plain) {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put(
        "it passes a page's Origin on",
        new Way(plain, call -> call.header("Origin", "https://evil.example")));
    ways.put(
        "it drops Origin and passes Sec-Fetch-Site on",
        new Way(
            url -> plain.apply(url).dropping("Origin"),
            call ->
                call.header("Origin", "https://evil.example")
                    .header("Sec-Fetch-Site", "cross-site")));
    ways.put(
        "it passes on what the caller wants dropped",
        new Way(
            url -> plain.apply(url).dropping("X-Forwarded-For"),
            call ->
                call.header("X-Forwarded-For", "192.0.2.1")
                    .header("Connection", "close, X-Forwarded-For")));
    return ways;
  }
}
