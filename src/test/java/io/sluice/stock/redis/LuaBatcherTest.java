package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.NumberType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that arrive while one is in flight are sent together in the next. */
class LuaBatcherTest {
  private static final int TIMEOUT_MS = 60_000;

  private record Sent(List<LuaCall> calls, Promise<Response> replies) {}

  private final List<Sent> sent = new ArrayList<>();
  private long nowMs = -7;

  private final LuaBatcher unit =
      new LuaBatcher(this::send, TIMEOUT_MS, Promise::promise, () -> 1_000_000 * nowMs);

  @Test
  void shouldSendAtOnceWhenTheLaneIsIdle() {
    // when
    Future<Response> answer = unit.add(call(0, 1));

    // then
    assertThat(sent).hasSize(1);
    reply(0, NumberType.create(7L));
    assertThat(answer.result().toLong()).isEqualTo(7);
  }

  @Test
  void shouldSendTogetherWhatCameMeanwhileAndAnswerEachItsOwn() {
    // given
    unit.add(call(0, 1));

    // when
    Future<Response> second = unit.add(call(1, 1));
    Future<Response> third = unit.add(call(2, 1));
    int underWay = sent.size();
    reply(0, NumberType.create(0L));
    reply(1, NumberType.create(12L), NumberType.create(13L));

    // then
    assertThat(underWay).isEqualTo(1);
    assertThat(second.result().toLong()).isEqualTo(12);
    assertThat(third.result().toLong()).isEqualTo(13);
    assertThat(sent).hasSize(2);
  }

  @Test
  void shouldFailOnlyTheCallWhoseReplyIsAnError() {
    // given
    unit.add(call(0, 1));
    Future<Response> second = unit.add(call(1, 1));
    Future<Response> third = unit.add(call(2, 1));
    reply(0, NumberType.create(0L));

    // when
    reply(1, ErrorType.create("ERR no such thing"), NumberType.create(13L));

    // then
    assertThat(second.cause()).hasMessageContaining("no such thing");
    assertThat(third.result().toLong()).isEqualTo(13);
  }

  @Test
  void shouldFailAllOfACallAndGoOnWithTheNextWhenItFails() {
    // given
    Future<Response> first = unit.add(call(0, 1));
    Future<Response> second = unit.add(call(1, 1));

    // when
    sent.get(0).replies().fail("lost");
    reply(1, NumberType.create(2L));

    // then
    assertThat(first.cause()).hasMessage("lost");
    assertThat(second.result().toLong()).isEqualTo(2);
  }

  @Test
  void shouldFailAllOfACallWhenRepliesAreMissing() {
    // given
    unit.add(call(0, 1));
    Future<Response> second = unit.add(call(1, 1));
    Future<Response> third = unit.add(call(2, 1));
    reply(0, NumberType.create(0L));

    // when
    reply(1, NumberType.create(2L));

    // then
    assertThat(second.cause()).hasMessage("Expected 2 replies, but got 1");
    assertThat(third.failed()).isTrue();
  }

  @Test
  void shouldBoundTheCallsAndTheArgumentsThatAreSentTogether() {
    // given
    unit.add(call(0, 1));
    IntStream.rangeClosed(0, LuaBatcher.CALLS_MAX).forEach(i -> unit.add(call(i, 1)));
    unit.add(call(0, LuaBatcher.WEIGHT_MAX));
    unit.add(call(1, LuaBatcher.WEIGHT_MAX + 1));

    // when
    sent.get(0).replies().fail("next");
    sent.get(1).replies().fail("next");
    sent.get(2).replies().fail("next");
    sent.get(3).replies().fail("next");
    sent.get(4).replies().fail("next");

    // then
    assertThat(sent.stream().map(each -> each.calls().size()))
        .containsExactly(1, LuaBatcher.CALLS_MAX, 1, 1, 1);
  }

  @Test
  void shouldSendAFullOneBesideOneInFlightButNoMore() {
    // given
    unit.add(call(0, 1));

    // when
    IntStream.range(0, LuaBatcher.FULL_MAX * LuaBatcher.CALLS_MAX)
        .forEach(i -> unit.add(call(i, 1)));

    // then
    assertThat(sent.stream().map(each -> each.calls().size()))
        .containsExactly(1, LuaBatcher.CALLS_MAX);
  }

  @Test
  void shouldGoOnWhenACallerThrows() {
    // given
    unit.add(call(0, 1))
        .onComplete(
            done -> {
              throw new IllegalStateException("a caller's own trouble");
            });
    Future<Response> second = unit.add(call(1, 1));

    // when
    reply(0, NumberType.create(0L));
    reply(1, NumberType.create(2L));

    // then
    assertThat(second.result().toLong()).isEqualTo(2);
  }

  @Test
  void shouldNotSendWhatHasWaitedForHalfTheLimit() {
    // given
    unit.add(call(0, 1));
    Future<Response> second = unit.add(call(1, 1));
    nowMs++;
    Future<Response> third = unit.add(call(2, 1));

    // when
    nowMs += TIMEOUT_MS / 2;
    reply(0, NumberType.create(0L));
    reply(1, NumberType.create(3L));

    // then
    assertThat(second.cause()).hasMessage("Timeout before it was sent");
    assertThat(third.result().toLong()).isEqualTo(3);
  }

  @Test
  void shouldCountTheTokensOfAReplyTowardsTheWeight() {
    // given
    unit.add(call(0, 1));
    unit.add(call(1, 1).expecting(LuaBatcher.WEIGHT_MAX - 2));
    unit.add(call(2, 1));
    unit.add(call(3, 1));

    // when
    sent.get(0).replies().fail("next");
    sent.get(1).replies().fail("next");

    // then
    assertThat(sent.stream().map(each -> each.calls().size())).containsExactly(1, 2, 1);
  }

  private Future<Response> send(List<LuaCall> calls) {
    Promise<Response> replies = Promise.promise();
    sent.add(new Sent(calls, replies));
    return replies.future();
  }

  private void reply(int call, Response... replies) {
    MultiType all = MultiType.create(replies.length, false);
    for (Response reply : replies) {
      all.add(reply);
    }
    sent.get(call).replies().complete(all);
  }

  private static LuaCall call(long skuId, int arguments) {
    LuaCall call =
        new LuaCall(LuaScript.BOOK, StockKeys.of(0, new BucketId(1 + skuId, 0)), arguments);
    IntStream.range(0, arguments).forEach(i -> call.add(i));
    return call.complete();
  }
}
