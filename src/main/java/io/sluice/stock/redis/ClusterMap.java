package io.sluice.stock.redis;

import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which primary of a cluster has which slot, as one of its nodes tells. Immutable. */
final class ClusterMap {
  private static final int FROM = 0;
  private static final int TO = 1;
  private static final int FIRST_NODE = 2;
  private static final int PORT_MAX = 65_535;

  /** The address in the answer of a node that knows no name of its own. */
  private static final String UNKNOWN_HOST = "?";

  /** Any slot has the tag of one of these. */
  private static final int PARTITIONS_TRIED = 16 * StockKeys.SLOTS;

  private final @Nullable RedisAddress[] primaries = new RedisAddress[StockKeys.SLOTS];
  private final Set<RedisAddress> withSlots = new LinkedHashSet<>();
  private final Set<RedisAddress> nodes = new LinkedHashSet<>();

  private ClusterMap() {}

  /**
   * Reads the reply to CLUSTER SLOTS.
   *
   * @param asked where the reply is from: a node may leave out its own host
   * @throws IllegalArgumentException if the reply contradicts itself, or is none
   */
  static ClusterMap parse(Response reply, RedisAddress asked) {
    ClusterMap map = new ClusterMap();
    try {
      for (Response range : reply) {
        map.add(range, asked);
      }
    } catch (ClassCastException | NumberFormatException | NullPointerException odd) {
      throw new IllegalArgumentException("Expected ranges of slots, but got " + reply, odd);
    } catch (UnsupportedOperationException odd) {
      throw new IllegalArgumentException("Expected ranges of slots, but got something else", odd);
    }
    return map;
  }

  private void add(Response range, RedisAddress asked) {
    int from = range.get(FROM).toInteger();
    int to = range.get(TO).toInteger();
    if (from < 0 || from > to || to >= StockKeys.SLOTS || range.size() <= FIRST_NODE) {
      throw new IllegalArgumentException(
          "Expected a range of slots with its nodes, but got " + range);
    }
    RedisAddress primary = address(range.get(FIRST_NODE), asked).orElse(null);
    for (int slot = from; slot <= to; slot++) {
      if (primaries[slot] != null) {
        throw new IllegalArgumentException(
            "Expected one primary for slot %d, but got %s and %s"
                .formatted(slot, primaries[slot], primary));
      }
      primaries[slot] = primary;
    }
    if (primary != null) {
      withSlots.add(primary);
    }
    for (int i = FIRST_NODE; i < range.size(); i++) {
      address(range.get(i), asked).ifPresent(nodes::add);
    }
  }

  /** Empty if the cluster does not know how to reach the node. */
  private static Optional<RedisAddress> address(Response node, RedisAddress asked) {
    Response host = node.get(0);
    String name = host == null ? "" : host.toString();
    int port = node.get(1).toInteger();
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("Expected the port of a node, but got " + node);
    }
    return port == 0 || name.equals(UNKNOWN_HOST)
        ? Optional.empty()
        : Optional.of(new RedisAddress(name.isEmpty() ? asked.host() : name, port));
  }

  /** The primary that has this slot; null if none has. */
  @Nullable RedisAddress primaryOf(int slot) {
    return primaries[slot];
  }

  /** All primaries that have a slot. */
  Set<RedisAddress> primaries() {
    return Collections.unmodifiableSet(withSlots);
  }

  /** Whether each slot has the same primary there. */
  boolean agreesWith(ClusterMap other) {
    return Arrays.equals(primaries, other.primaries);
  }

  /** All nodes, replicas too, in the order of the reply. */
  List<RedisAddress> nodes() {
    return new ArrayList<>(nodes);
  }

  /** The number of slots that no primary has. */
  int holes() {
    int holes = 0;
    for (RedisAddress each : primaries) {
      holes += each == null ? 1 : 0;
    }
    return holes;
  }

  /** A partition, of any number, that would be at this primary; 0 if none is. */
  int partitionAt(RedisAddress primary) {
    if (!withSlots.contains(primary)) {
      return 0;
    }
    return IntStream.range(0, PARTITIONS_TRIED)
        .filter(each -> Objects.equals(primaryOf(StockKeys.slot(each)), primary))
        .findFirst()
        .orElse(0);
  }
}
