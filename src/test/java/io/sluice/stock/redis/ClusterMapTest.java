package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.BulkType;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.NumberType;
import io.vertx.redis.client.impl.types.SimpleStringType;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies to CLUSTER SLOTS, also those of a node that knows little, or is none. */
class ClusterMapTest {
  private static final RedisAddress ASKED = new RedisAddress("asked", 7_000);
  private static final RedisAddress A = new RedisAddress("a", 7_001);
  private static final RedisAddress B = new RedisAddress("b", 7_002);

  @Test
  void shouldFindThePrimaryOfEachSlotAndAllNodes() {
    // when
    ClusterMap map =
        ClusterMap.parse(
            array(
                range(0, 8_000, node("a", 7_001), node("c", 7_003)),
                range(8_001, 16_383, node("b", 7_002))),
            ASKED);

    // then
    assertThat(map.primaryOf(0)).isEqualTo(A);
    assertThat(map.primaryOf(8_000)).isEqualTo(A);
    assertThat(map.primaryOf(8_001)).isEqualTo(B);
    assertThat(map.primaries()).containsExactly(A, B);
    assertThat(map.nodes()).containsExactly(A, new RedisAddress("c", 7_003), B);
    assertThat(map.holes()).isZero();
  }

  @Test
  void shouldHaveHolesWhereNoPrimaryIsNamed() {
    // when
    ClusterMap map = ClusterMap.parse(array(range(5, 9, node("a", 7_001))), ASKED);

    // then
    assertThat(map.primaryOf(4)).isNull();
    assertThat(map.primaryOf(9)).isEqualTo(A);
    assertThat(map.primaryOf(10)).isNull();
    assertThat(map.holes()).isEqualTo(StockKeys.SLOTS - 5);
  }

  @Test
  void shouldBeAllHolesWhereTheReplyIsEmpty() {
    // when
    ClusterMap map = ClusterMap.parse(array(), ASKED);

    // then
    assertThat(map.holes()).isEqualTo(StockKeys.SLOTS);
    assertThat(map.primaries()).isEmpty();
  }

  @Test
  void shouldTakeTheHostThatWasAskedWhereANodeDoesNotKnowItsOwn() {
    // when
    ClusterMap map =
        ClusterMap.parse(
            array(range(0, 1, node("", 7_001)), range(2, 3, node(null, 7_002))), ASKED);

    // then
    assertThat(map.primaryOf(0)).isEqualTo(new RedisAddress("asked", 7_001));
    assertThat(map.primaryOf(2)).isEqualTo(new RedisAddress("asked", 7_002));
  }

  @Test
  void shouldLeaveOutSlotsWhosePrimaryCannotBeReached() {
    // when
    ClusterMap map =
        ClusterMap.parse(array(range(0, 1, node("?", 7_001)), range(2, 3, node("a", 0))), ASKED);

    // then
    assertThat(map.holes()).isEqualTo(StockKeys.SLOTS);
    assertThat(map.nodes()).isEmpty();
  }

  static Stream<Response> lies() {
    return Stream.of(
        array(range(3, 2, node("a", 7_001))),
        array(range(-1, 2, node("a", 7_001))),
        array(range(0, 16_384, node("a", 7_001))),
        array(range(0, 5)),
        array(range(0, 5, node("a", 70_000))),
        array(range(0, 5, node("a", -1))),
        array(range(0, 5, node("a", 7_001)), range(5, 6, node("b", 7_002))),
        array(range(0, 5, node("a", 7_001)), range(0, 5, node("a", 7_001))),
        array(array(bulk("x"), bulk("y"), node("a", 7_001))),
        array(array(number(0), number(5), number(7))),
        array(number(1)),
        SimpleStringType.create("OK"),
        number(5));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void shouldRefuseAReplyThatContradictsItself(Response lie) {
    // when
    // then
    assertThatThrownBy(() -> ClusterMap.parse(lie, ASKED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected ");
  }

  static Response range(int from, int to, Response... nodes) {
    return array(
        Stream.concat(Stream.of(number(from), number(to)), Stream.of(nodes))
            .toArray(Response[]::new));
  }

  static Response node(@Nullable String host, int port) {
    return array(host == null ? null : bulk(host), number(port), bulk("id"));
  }

  static Response array(@Nullable Response... parts) {
    MultiType array = MultiType.create(parts.length, false);
    for (Response part : parts) {
      array.add(part);
    }
    return array;
  }

  private static Response bulk(String text) {
    return BulkType.create(io.vertx.core.buffer.Buffer.buffer(text), false);
  }

  private static Response number(long value) {
    return NumberType.create(value);
  }
}
