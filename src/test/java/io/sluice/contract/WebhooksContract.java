package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Counts;
import io.sluice.ledger.Webhooks.Delivery;
import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.sluice.ledger.Webhooks.Parked;
import io.sluice.ledger.Webhooks.PutResult;
import io.sluice.ledger.Webhooks.Retried;
import io.sluice.ledger.Webhooks.State;
import io.sluice.ledger.Webhooks.Webhook;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every ledger does with the targets of events. */
public interface WebhooksContract {
  String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  String OTHER = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0";
  Duration LEASE = Duration.ofSeconds(20);
  Duration LATER = Duration.ofHours(1);

  Webhooks unit();

  <T> T get(Future<T> future);

  private PutResult put(String id) {
    return get(unit().put(new NewWebhook(id, "https://a.example/", SECRET, "*", Form.FULL, "k1")));
  }

  private Webhook webhook(String id) {
    return get(unit().webhooks()).stream()
        .filter(each -> each.webhookId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Parked parked(int no, String orderKey, Duration waits) {
    return new Parked(
        "msg_" + no, "ORDER_BOOKED", orderKey, "{\"no\":" + no + "}", 1, waits, "500");
  }

  private boolean advance(String owner, String from, String to, Parked... unaccepted) {
    return get(unit().advance("shop", owner, from, to, List.of(unaccepted)));
  }

  private void leased() {
    put("shop");
    get(unit().lease("shop", "i1", LEASE));
  }

  private List<String> due() {
    return get(unit().due("shop", 10)).stream().map(Delivery::messageId).toList();
  }

  private long no(String messageId) {
    return get(unit().deliveries("shop", 0, 100)).stream()
        .filter(each -> each.messageId().equals(messageId))
        .findFirst()
        .orElseThrow()
        .no();
  }

  @Test
  default void shouldKeepATargetAsItWasPut() {
    // when
    PutResult result = put("shop");

    // then
    assertThat(((PutResult.Done) result).created()).isTrue();
    Webhook kept = webhook("shop");
    assertThat(List.of(kept.url(), kept.secret(), kept.types(), kept.cursor()))
        .containsExactly("https://a.example/", SECRET, "*", "k1");
    assertThat(kept.form()).isEqualTo(Form.FULL);
    assertThat(kept.isRotating()).isFalse();
    assertThat(kept.toString()).doesNotContain(SECRET);
  }

  @Test
  default void shouldSignWithBothSecretsForAWhileWhenTheSecretChanges() {
    // given
    put("shop");

    // when
    PutResult result = get(unit().put(new NewWebhook("shop", null, OTHER, null, null, null)));

    // then
    assertThat(((PutResult.Done) result).created()).isFalse();
    Webhook kept = webhook("shop");
    assertThat(List.of(kept.url(), kept.secret(), kept.formerSecret(), kept.cursor()))
        .containsExactly("https://a.example/", OTHER, SECRET, "k1");
    assertThat(kept.isRotating()).isTrue();
    assertThat(kept.formerUntilMs() - kept.nowMs())
        .isCloseTo(
            Webhooks.FORMER_SIGNS_FOR.toMillis(), org.assertj.core.data.Offset.offset(60_000L));
  }

  @Test
  default void shouldMakeNoTargetWithoutAddressSecretOrRoom() {
    // given
    IntStream.range(0, Webhooks.TARGETS_MAX - 1).forEach(i -> put("t" + i));
    PutResult withoutCursor =
        get(unit().put(new NewWebhook("x", "https://a.example/", SECRET, null, null, null)));
    put("last");

    // when
    List<PutResult> results =
        List.of(
            put("one-more"),
            get(unit().put(new NewWebhook("x", null, SECRET, null, null, "k1"))),
            get(unit().put(new NewWebhook("x", "https://a.example/", null, null, null, "k1"))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.Full(), new PutResult.Missing("url"), new PutResult.Missing("secret"));
    assertThat(withoutCursor).isEqualTo(new PutResult.NoCursor());
  }

  @Test
  default void shouldLetOneInstanceSendAtATime() {
    // given
    put("shop");

    // when
    List<Boolean> got =
        List.of(
            get(unit().lease("shop", "i1", LEASE)).isPresent(),
            get(unit().lease("shop", "i2", LEASE)).isPresent(),
            get(unit().lease("shop", "i1", LEASE)).isPresent());
    get(unit().release("i1"));
    Optional<Webhook> next = get(unit().lease("shop", "i2", LEASE));

    // then
    assertThat(got).containsExactly(true, false, true);
    assertThat(next).map(Webhook::owner).contains("i2");
    assertThat(advance("i1", "k1", "k2")).isFalse();
    assertThat(get(unit().settle("shop", "i1", List.of(), List.of()))).isFalse();
    assertThat(advance("i2", "k1", "k2")).isTrue();
  }

  @Test
  default void shouldParkWithTheCursorOrNotAtAll() {
    // given
    leased();

    // when
    boolean stale = advance("i1", "k0", "k2", parked(1, "o1", LATER));
    boolean moved = advance("i1", "k1", "k2", parked(2, "o1", LATER), parked(3, "o2", LATER));
    boolean again = advance("i1", "k2", "k3", parked(2, "o1", LATER));

    // then
    assertThat(List.of(stale, moved, again)).containsExactly(false, true, true);
    assertThat(get(unit().deliveries("shop", 0, 10)))
        .extracting(Delivery::messageId)
        .containsExactly("msg_2", "msg_3");
    assertThat(get(unit().parkedOf("shop", List.of("o1", "o9")))).containsOnly("o1");
    assertThat(get(unit().counts("shop")).waiting()).isEqualTo(2);
  }

  @Test
  default void shouldSendTheFirstOfEachOrderAgain() {
    // given
    leased();
    advance(
        "i1",
        "k1",
        "k2",
        parked(1, "o1", LATER),
        parked(2, "o1", Duration.ZERO),
        parked(3, "o2", Duration.ZERO),
        parked(4, "o2", Duration.ZERO));

    // when
    List<String> first = due();
    boolean settled =
        get(
            unit()
                .settle(
                    "shop",
                    "i1",
                    List.of(no("msg_3")),
                    List.of(new Retried(no("msg_1"), 2, Duration.ZERO, "404"))));
    List<String> second = due();

    // then
    assertThat(first).containsExactly("msg_3");
    assertThat(settled).isTrue();
    assertThat(second).containsExactlyInAnyOrder("msg_1", "msg_4");
  }

  @Test
  default void shouldLetTheNextOneGoWhenOneHasFailedAndReplayIt() {
    // given
    leased();
    advance("i1", "k1", "k2", parked(1, "o1", LATER), parked(2, "o1", Duration.ZERO));

    // when
    get(
        unit()
            .settle(
                "shop", "i1", List.of(), List.of(new Retried(no("msg_1"), 9, null, "it's \\"))));
    List<String> next = due();
    Counts failed = get(unit().counts("shop"));
    Delivery shown = get(unit().deliveries("shop", 0, 10)).get(0);
    int replayed = get(unit().replay("shop"));

    // then
    assertThat(next).containsExactly("msg_2");
    assertThat(List.of(failed.waiting(), failed.failed())).containsExactly(1L, 1L);
    assertThat(shown.state()).isEqualTo(State.FAILED);
    assertThat(List.of(shown.why(), shown.event())).containsExactly("it's \\", "{\"no\":1}");
    assertThat(replayed).isEqualTo(2);
    assertThat(due()).containsExactly("msg_1");
  }

  @Test
  default void shouldSendNothingToAStoppedTargetUntilItIsPutAgain() {
    // given
    leased();

    // when
    get(unit().stop("shop", "i1", "answered 410"));
    Optional<Webhook> stopped = get(unit().lease("shop", "i1", LEASE));
    String why = webhook("shop").stopped();
    get(unit().put(new NewWebhook("shop", null, null, null, null, null)));

    // then
    assertThat(stopped).isEmpty();
    assertThat(why).isEqualTo("answered 410");
    assertThat(get(unit().lease("shop", "i1", LEASE))).isPresent();
  }

  @Test
  default void shouldDeleteATargetWithAllThatItHasNotAccepted() {
    // given
    leased();
    advance("i1", "k1", "k2", parked(1, "o1", Duration.ZERO));

    // when
    List<Boolean> deleted = List.of(get(unit().delete("shop")), get(unit().delete("shop")));
    put("shop");

    // then
    assertThat(deleted).containsExactly(true, false);
    assertThat(due()).isEmpty();
    assertThat(advance("i1", "k1", "k2")).isFalse();
  }
}
