package io.sluice.chaos.fault;

import io.sluice.testkit.redis.RedisBackend;
import java.util.List;

/**
 * What operators and their tools do to a Redis that goes on: a key is deleted, or a command is
 * taken from the ACL for a while. Nothing tells the service.
 */
final class RedisKeyBlows {
  /** The kinds of keys of a bucket. */
  private static final List<String> KEYS = List.of("reserve", "unbooked", "buyers", "stock");

  /** What the scripts write with. */
  private static final List<String> COMMANDS = List.of("zadd", "hset", "zrem", "hincrby", "hdel");

  private RedisKeyBlows() {}

  /** Deletes one key of one bucket, of another kind each time. */
  static Blow deleted(RedisBackend primary, int number) {
    return Blow.of(() -> delete(primary, number), () -> {});
  }

  /** Denies one command, another one each time, and allows it again. */
  static Blow denied(RedisBackend primary, int number) {
    String command = COMMANDS.get(number % COMMANDS.size());
    return Blow.of(
        () -> primary.administer("ACL SETUSER default -" + command),
        () -> primary.administer("ACL SETUSER default +" + command));
  }

  private static void delete(RedisBackend primary, int number) {
    for (int i = 0; i < KEYS.size(); i++) {
      List<String> keys = primary.keys(KEYS.get((number + i) % KEYS.size()) + ":{p*");
      if (!keys.isEmpty()) {
        primary.administer("DEL " + keys.get(number % keys.size()));
        return;
      }
    }
  }
}
