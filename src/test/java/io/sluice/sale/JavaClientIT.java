package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.client.Caller;
import io.sluice.client.Command;
import io.sluice.client.CommandResult;
import io.sluice.client.Order;
import io.sluice.client.OrderPage;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.client.Purchase;
import io.sluice.client.RefusedException;
import io.sluice.client.SkuLevel;
import io.sluice.client.SluiceClient;
import io.sluice.shop.SampleShop;
import io.sluice.shop.SampleShop.Page;
import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The client for Java, and the sample shop, at a real service whose replies are lost. */
class JavaClientIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BUYERS = 16;

  private static FaultProxy proxy;
  private static SluiceClient client;

  @BeforeAll
  static void connect() {
    proxy = FaultProxy.inFrontOf(site.instance(0).url());
    URI port = URI.create(proxy.uri());
    URI management = URI.create(site.instance(0).adminUrl());
    client =
        SluiceClient.to(port)
            .management(management, Caller.local())
            .tryTimeout(Duration.ofSeconds(1))
            .deadline(LIMIT)
            .build();
  }

  @AfterEach
  void heal() {
    proxy.heal();
  }

  @AfterAll
  static void close() {
    proxy.close();
  }

  @Test
  void shouldBuyOnceWhenEveryReplyIsLostForAWhile() {
    // given
    Sale sale = site.sale().withStock(BUYERS * 2).open();
    long before = proxy.repliesSwallowed();
    proxy.swallowReplies();
    ExecutorService buyers = Executors.newFixedThreadPool(BUYERS);
    Map<String, String> told = new ConcurrentHashMap<>();

    // when
    List<CompletableFuture<Void>> asking =
        IntStream.range(0, BUYERS)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          Caller buyer = Caller.user("insistent-" + i);
                          Order order = client.place(buyer, Purchase.of(sale.skuId(), 1));
                          told.put(order.orderToken(), buyer.value());
                        },
                        buyers))
            .toList();
    await().atMost(LIMIT).until(() -> proxy.repliesSwallowed() >= before + 2 * BUYERS);
    proxy.heal();
    await().atMost(LIMIT).until(() -> asking.stream().allMatch(CompletableFuture::isDone));
    buyers.shutdown();

    // then
    assertThat(asking).noneMatch(CompletableFuture::isCompletedExceptionally);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(site.ledger().orders(sale.skuId()))
                    .extracting(LedgerReader.OrderRow::token)
                    .containsExactlyInAnyOrderElementsOf(told.keySet()));
    assertThat(told).hasSize(BUYERS);
  }

  @Test
  void shouldGoOnWithTheSameOrderWhenTheDeadlineEndedBefore() {
    // given
    Sale sale = site.sale().withStock(2).open();
    Caller buyer = Caller.user("patient");
    Purchase purchase = Purchase.of(sale.skuId(), 1);
    proxy.swallowReplies();

    // when
    OutcomeUnknownException open =
        catchThrowableOfType(
            OutcomeUnknownException.class,
            () -> client.within(Duration.ofSeconds(2)).place(buyer, purchase));
    proxy.heal();
    Purchase again = Purchase.of(sale.skuId(), 1).withKey(open.key().orElseThrow());
    Order order = client.place(buyer, again);

    // then
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(site.ledger().orders(sale.skuId()))
                    .extracting(LedgerReader.OrderRow::token)
                    .containsExactly(order.orderToken()));
  }

  @Test
  void shouldMakeEachCall() {
    // given
    Sale sale = site.sale().withStock(9).withLimit(3).open();
    Caller buyer = Caller.user("each-call");
    List<Order> orders =
        IntStream.range(0, 3)
            .mapToObj(i -> client.place(buyer, Purchase.of(sale.skuId(), 1).withReference("c" + i)))
            .toList();
    String first = orders.get(0).orderToken();
    String second = orders.get(1).orderToken();
    String third = orders.get(2).orderToken();

    // when
    RefusedException limited =
        catchThrowableOfType(
            RefusedException.class, () -> client.place(buyer, Purchase.of(sale.skuId(), 1)));
    Order booked =
        client.awaitOrder(buyer, first, seen -> seen.status() == Order.Status.PENDING, LIMIT);
    List<CommandResult> results =
        client.run(
            List.of(
                Command.confirm(first, "p1"),
                Command.confirm(first, "p2"),
                Command.extend(second, Duration.ofHours(2)),
                Command.cancel("1.0.AAAAAAAAAAAAAAAAAAAAAA")));
    Order extended = client.order(second);
    Order canceled = client.cancel(buyer, third);
    Order confirmed = client.confirm(second);
    Order requested = client.requestRefund(first, "r1", 1, Optional.empty());
    Order rejected = client.rejectRefund(first, "r1");
    client.requestRefund(first, "r2", 1, Optional.empty());
    Order refunded = client.completeRefund(first, "r2");
    Order whole = client.refund(second);
    SkuLevel level = client.sku(sale.skuId());

    // then
    assertThat(limited.word()).isEqualTo("limit-reached");
    assertThat(booked.reference()).contains("c0");
    assertThat(results).extracting(CommandResult::status).containsExactly(200, 409, 200, 404);
    assertThat(results.get(1).problem().orElseThrow().paymentToReturn()).contains("p2");
    assertThat(extended.payBefore()).isAfter(orders.get(1).payBefore());
    assertThat(canceled.status()).isEqualTo(Order.Status.CANCELED);
    assertThat(canceled.reason()).contains("BUYER");
    assertThat(confirmed.status()).isEqualTo(Order.Status.CONFIRMED);
    assertThat(requested.refund().orElseThrow().state()).isEqualTo("REQUESTED");
    assertThat(rejected.refund().orElseThrow().state()).isEqualTo("REJECTED");
    assertThat(refunded.status()).isEqualTo(Order.Status.REFUNDED);
    assertThat(refunded.paymentRef()).contains("p1");
    assertThat(whole.status()).isEqualTo(Order.Status.REFUNDED);
    assertThat(level.state()).isEqualTo("OPEN");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(client.orders(buyer, Optional.empty(), 100))
                    .extracting(OrderPage::orders)
                    .asList()
                    .extracting(order -> ((Order) order).orderToken())
                    .containsExactlyInAnyOrder(first, second, third));
  }

  @Test
  void shouldSellByTheSampleShopWhenRepliesAreLost(@TempDir Path files) {
    // given
    Sale sale = site.sale().withStock(2).open();
    List<String> paidBack = new CopyOnWriteArrayList<>();
    SampleShop shop = new SampleShop(client, paidBack::add, files.resolve("cursor"));

    // when
    Page anne = losing("POST /v1/orders ", () -> shop.checkout("cart-1", "anne", sale.skuId(), 1));
    Page anneAgain = shop.checkout("cart-1", "anne", sale.skuId(), 1);
    Page bob = shop.checkout("cart-2", "bob", sale.skuId(), 1);
    Page carol = shop.checkout("cart-3", "carol", sale.skuId(), 1);
    String annes = anne.toPay().orElseThrow().orderToken();
    String bobs = bob.toPay().orElseThrow().orderToken();
    losing("/confirm ", () -> paid(shop, annes, "pay-1"));
    Page annePaid = shop.checkout("cart-1", "anne", sale.skuId(), 1);
    shop.paid(annes, "pay-2");
    losing("/cancel ", () -> canceled(shop, "bob", bobs));
    losing("/confirm ", () -> paid(shop, bobs, "pay-3"));
    Page bobAgain = shop.checkout("cart-2", "bob", sale.skuId(), 1);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              shop.listen();
              return shop.status(annes).equals(Optional.of(Order.Status.CONFIRMED))
                  && shop.status(bobs).equals(Optional.of(Order.Status.CANCELED));
            });

    // then
    assertThat(anneAgain.toPay()).map(Order::orderToken).contains(annes);
    assertThat(annePaid).isEqualTo(new Page("It is yours", Optional.empty()));
    assertThat(carol.text()).startsWith("Sold out");
    assertThat(bobAgain.text()).startsWith("Your time to pay is over");
    assertThat(paidBack).containsExactlyInAnyOrder("pay-2", "pay-3");
    assertThat(sale.tokens("CONFIRMED")).containsExactly(annes);
    assertThat(sale.tokens("CANCELED")).containsExactly(bobs);
    assertThat(sale.ledger().sold()).isEqualTo(1);
  }

  private static boolean paid(SampleShop shop, String token, String payment) {
    shop.paid(token, payment);
    return true;
  }

  private static boolean canceled(SampleShop shop, String userId, String token) {
    shop.cancel(userId, token);
    return true;
  }

  /** Does it; the reply to the first request with this text is lost on the way. */
  private static <T> T losing(String text, Supplier<T> action) {
    long before = proxy.repliesSwallowed();
    proxy.swallowReplyTo(text);
    T result = action.get();
    assertThat(proxy.repliesSwallowed()).isGreaterThan(before);
    return result;
  }
}
