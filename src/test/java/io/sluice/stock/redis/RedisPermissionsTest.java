package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stock.redis.RedisPermissions.Mark;
import io.sluice.testkit.redis.AclRule;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.impl.types.ErrorType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check, the scripts and the page name the same commands. */
class RedisPermissionsTest {
  private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'");
  private static final Pattern TRIED = Pattern.compile("try\\('([A-Z]+)'");
  private static final Pattern ALLOWED = Pattern.compile("\\+([a-z]+)(?![a-z|])");

  /** What is sent beside scripts; INFO and TIME are in scripts as well. */
  private static final Set<String> OUTSIDE = Set.of("EVAL", "EVALSHA", "EXISTS");

  @Test
  void shouldTryEveryCommandOfTheScripts() {
    // given
    Set<String> called = new TreeSet<>();
    for (LuaScript script : LuaScript.values()) {
      called.addAll(found(CALLED, new String(script.source(), UTF_8)));
    }

    // when
    Set<String> tried = found(TRIED, RedisPermissions.SCRIPT);

    // then
    assertThat(tried).isEqualTo(called);
  }

  @Test
  void shouldBeAllowedByTheRuleOfThePage() throws IOException {
    // given
    Set<String> needed = new TreeSet<>(found(TRIED, RedisPermissions.SCRIPT));
    needed.addAll(OUTSIDE);

    // when
    String rule = AclRule.documented();

    // then
    assertThat(found(ALLOWED, rule)).isEqualTo(needed);
    assertThat(rule).contains("-@all").contains("+script|load").contains("+config|get");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR unknown command 'EVAL', with args beginning with: 'local stock'",
        "ERR Could not find scripting engine 'LUA'"
      })
  void shouldNameScriptsWhenAServerHasNone(String error) {
    // given
    RedisPermissions unit =
        new RedisPermissions(
            RedisPermissions.nobodysKeys(0), new Mark(StockKeys.ledger(0), ""), false, false);

    // when
    Future<String> check = unit.check(answering(ErrorType.create(error)));

    // then
    assertThat(check.cause())
        .isInstanceOf(UnfitRedisException.class)
        .hasMessage(
            "Expected a Redis or Valkey that runs Lua scripts (EVAL), but it says: " + error);
  }

  private static RedisConnection answering(ErrorType error) {
    Class<?>[] port = {RedisConnection.class};
    return (RedisConnection)
        Proxy.newProxyInstance(
            RedisConnection.class.getClassLoader(),
            port,
            (self, method, arguments) -> Future.failedFuture(error));
  }

  private static Set<String> found(Pattern name, String text) {
    Set<String> names = new TreeSet<>();
    name.matcher(text)
        .results()
        .forEach(match -> names.add(match.group(1).toUpperCase(Locale.ROOT)));
    return names;
  }
}
