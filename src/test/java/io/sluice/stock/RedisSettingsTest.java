package io.sluice.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.SimpleStringType;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a Redis says of itself that the tests' Redis never is; see {@link RedisSettingsIT}. */
class RedisSettingsTest {
  @Test
  void shouldNotBeTakenWhenItIsANodeOfACluster() {
    // when
    Future<Void> check = RedisSettings.check(saying("redis_mode:cluster\r\nrole:master"));

    // then
    assertThat(check.cause())
        .hasMessage("Expected a Redis of its own, but it is a node of a cluster");
  }

  @Test
  void shouldBeTakenWhenItIsNot() {
    // when
    Future<Void> check = RedisSettings.check(saying("redis_mode:standalone\r\nrole:master"));

    // then
    assertThat(check.succeeded()).isTrue();
  }

  /** Answers each INFO with this text, and shows no settings. */
  private static RedisConnection saying(String info) {
    Class<?>[] port = {RedisConnection.class};
    Object connection =
        Proxy.newProxyInstance(
            RedisConnection.class.getClassLoader(),
            port,
            (self, method, arguments) -> {
              boolean isInfo = ((Request) arguments[0]).command().equals(Command.INFO);
              Response reply = isInfo ? SimpleStringType.create(info) : MultiType.create(0, true);
              return Future.succeededFuture(reply);
            });
    return (RedisConnection) connection;
  }
}
