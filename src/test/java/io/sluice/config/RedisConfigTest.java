package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.json.JsonArray;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where Redis is: one URI, or those of sentinels. */
class RedisConfigTest {
  private static final String LOGIN = "redis://sluice:p,hidden@";

  @Test
  void shouldReadSentinelsFromAListInTheFile() {
    // when
    RedisConfig config =
        read(
            new Settings(
                Map.of(
                    "redis.mode", "sentinel",
                    "redis.master", "sale",
                    "redis.uris", new JsonArray(List.of("redis://a", "redis://[::1]:5"))),
                Map.of()));

    // then
    assertThat(config.hasSentinels()).isTrue();
    assertThat(config.servers()).extracting(ServerUri::host).containsExactly("a", "::1");
  }

  @Test
  void shouldReadSentinelsFromTextWithCommasAlsoInThePassword() {
    // when
    RedisConfig config = of(LOGIN + "a:1, " + LOGIN + "b:2," + LOGIN + "c:3");

    // then
    assertThat(config.servers()).extracting(ServerUri::port).containsExactly(1, 2, 3);
    assertThat(config.servers()).extracting(ServerUri::password).containsOnly("p,hidden");
  }

  @Test
  void shouldReadTheSeedsOfACluster() {
    // when
    RedisConfig config =
        read(
            new Settings(
                Map.of("redis.mode", "cluster", "redis.uris", "redis://a/0,redis://b:7001/0"),
                Map.of()));

    // then
    assertThat(config.isCluster()).isTrue();
    assertThat(config.servers()).extracting(ServerUri::host).containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource({"valkey://u:p@v:1/2,redis://u:***@v:1/2", "valkeys://v,rediss://v"})
  void shouldTakeAUriOfValkeyForOneOfRedis(String uri, String server) {
    // when
    RedisConfig config = read(new Settings(Map.of(), Map.of("SLUICE_REDIS_URI", uri)));

    // then
    assertThat(config.servers()).singleElement().hasToString(server);
    assertThat(config.isTls()).isEqualTo(uri.startsWith("valkeys:"));
  }

  @Test
  void shouldTakeOneEntryOfTheListForTheOneRedis() {
    // when
    RedisConfig config =
        read(new Settings(Map.of(), Map.of("SLUICE_REDIS_URIS", "rediss://a:1/2")));

    // then
    assertThat(config.hasSentinels()).isFalse();
    assertThat(config.isTls()).isTrue();
    assertThat(config.servers()).hasSize(1).first().hasToString("rediss://a:1/2");
  }

  @Test
  void shouldHideThePasswordsWhenShown() {
    // given
    Config config =
        Configs.of(
            Map.of(
                "SLUICE_REDIS_MODE", "sentinel",
                "SLUICE_REDIS_MASTER", "sale",
                "SLUICE_REDIS_URIS", LOGIN + "a:1," + LOGIN + "b:2"));

    // when
    List<String> lines = config.lines();

    // then
    assertThat(lines)
        .contains("redis.uris = redis://sluice:***@a:1, redis://sluice:***@b:2")
        .noneMatch(line -> line.contains("hidden"));
    assertThat(config.redis().toString()).doesNotContain("hidden").contains("a:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "MODE=clusters|redis.mode|must be standalone, sentinel or cluster",
        "MODE=cluster|redis.uris|must be set where redis.mode is cluster",
        "MODE=cluster URI=redis://a|redis.uris|must be set where redis.mode is cluster",
        "MODE=cluster URIS=redis://a MASTER=m|redis.master|must be empty unless redis.mode is"
            + " sentinel",
        "MODE=cluster URIS=redis://a/1,redis://b/1|redis.uris|must not name a database: a cluster"
            + " has one, 0",
        "MODE=cluster URIS=redis://u:p@a,redis://v:p@b|redis.uris|the same scheme, login, database",
        "MODE=sentinel|redis.master|must be set where redis.mode is sentinel",
        "MODE=sentinel MASTER=a/b|redis.master|the name by which sentinels know",
        "MASTER=sale|redis.master|must be empty unless redis.mode is sentinel",
        "URIS=localhost:26379|redis.uris|must be URIs like redis://",
        "URIS=redis://a,redis://b|redis.uris|must be one URI where redis.mode is standalone",
        "URI=redis://a URIS=redis://b|redis.uri|must not be set beside redis.uris",
        "URIS=redis://a,redis://a|redis.uris|at most 32 URIs that differ",
        "MODE=sentinel MASTER=m URIS=redis://a,rediss://b|redis.uris|the same scheme, login,"
            + " database",
        "MODE=sentinel MASTER=m URIS=redis://a/1,redis://b/2|redis.uris|the same scheme, login,"
            + " database",
        "MODE=sentinel MASTER=m URIS=redis://:p@a,redis://:q@b|redis.uris|the same scheme, login,"
            + " database",
        "URIS=redis://a?password=p|redis.uris|must not have the parameter password",
      })
  void shouldNameTheKeyWhenTheyContradict(String variables, String key, String sentence) {
    // given
    Map<String, String> environment = new HashMap<>();
    for (String variable : variables.split(" ")) {
      String[] parts = variable.split("=", 2);
      environment.put("SLUICE_REDIS_" + parts[0], parts[1]);
    }

    // when
    Throwable fault = catchThrowable(() -> read(new Settings(Map.of(), environment)));

    // then
    assertThat(fault)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageStartingWith(key)
        .hasMessageContaining(sentence);
  }

  private static RedisConfig of(String uris) {
    return read(
        new Settings(
            Map.of(),
            Map.of(
                "SLUICE_REDIS_MODE", "sentinel",
                "SLUICE_REDIS_MASTER", "sale",
                "SLUICE_REDIS_URIS", uris)));
  }

  private static RedisConfig read(Settings settings) {
    return settings.section("redis", RedisConfig.class);
  }
}
