package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands whose grant is not in the log. */
class MissingGrantsTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  static List<Named<Function<OrderToken, Command>>> commands() {
    return List.of(
        Named.of("confirm", Command.Confirm::new),
        Named.of("cancel", token -> new Command.Cancel(token, Reason.BUYER)),
        Named.of("refund", Command.Refund::new));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldBookTheGrantFirstThatOnlyRedisHas(Function<OrderToken, Command> command) {
    // given
    Grant grant = scene.grant("alice", 1);

    // when
    scene.append(command.apply(grant.token()));
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldBookNothingForWhatHasEndedInRedis() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));
    scene.work();
    scene.calls.instead.put("orders", call -> Future.succeededFuture(Map.of()));

    // when
    scene.append(new Command.Confirm(grant.token()));
    scene.work();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
    assertThat(scene.eventTypes()).containsOnlyOnce("ORDER_BOOKED");
  }

  @Test
  void shouldAskRedisForNothingThatTheLedgerHas() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();

    // when
    scene.append(new Command.Confirm(grant.token()));
    scene.work();

    // then
    assertThat(scene.calls.of("lookup")).isEmpty();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldAskNobodyForGrantsThatTheSameSliceBrings() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.append(new Command.Confirm(grant.token()));

    // when
    scene.work();

    // then
    assertThat(scene.calls.of("orders")).isEmpty();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  /**
   * Booking need not wait for Redis: any order that was answered with a yes precedes its commands
   * in the log.
   */
  @Test
  void shouldNotHoldTheLogUpWhenRedisIsAway() {
    // given
    scene.append(new Command.Confirm(scene.token("nobody")));
    scene.placed("alice", 1);
    scene.calls.fail("lookup", new StockUnavailableException("away", null));

    // when
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
  }
}
