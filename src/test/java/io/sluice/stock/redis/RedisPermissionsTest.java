package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.AclRule;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

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

  private static Set<String> found(Pattern name, String text) {
    Set<String> names = new TreeSet<>();
    name.matcher(text)
        .results()
        .forEach(match -> names.add(match.group(1).toUpperCase(Locale.ROOT)));
    return names;
  }
}
