package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.RedisConfig;
import io.vertx.redis.client.RedisOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisClientsTest {

  @ParameterizedTest
  @CsvSource({
    "redis://h, redis://h:6379/, , ",
    "redis://:p%40+w@h/2, redis://h:6379/2, , p@+w",
    "rediss://u:p:w@[::1]:6380, rediss://[::1]:6380/, u, p:w",
    "redis://u@h, redis://h:6379/, u, ''",
    "redis://h?client=a%20b, redis://h:6379/?client=a+b, , ",
  })
  void shouldKeepTheLoginOutOfTheConnectionString(
      String uri, String connection, String user, String password) {
    // when
    RedisOptions options = options(uri, "");

    // then
    assertThat(options.getEndpoint()).isEqualTo(connection);
    assertThat(options.getUser()).isEqualTo(user);
    assertThat(options.getPassword()).isEqualTo(password);
  }

  @Test
  void shouldVerifyCertificateAndHostNameWhenEncrypted() {
    // when
    RedisOptions plain = options("redis://h", "");
    RedisOptions trusting = options("rediss://h", "");
    RedisOptions ours = options("rediss://h", "ca.pem");

    // then
    assertThat(plain.getNetClientOptions().isSsl()).isFalse();
    assertThat(trusting.getNetClientOptions().isSsl()).isTrue();
    assertThat(trusting.getNetClientOptions().isTrustAll()).isFalse();
    assertThat(trusting.getNetClientOptions().getTrustOptions()).isNull();
    assertThat(trusting.getNetClientOptions().getHostnameVerificationAlgorithm())
        .isEqualTo("HTTPS");
    assertThat(ours.getNetClientOptions().getTrustOptions()).isNotNull();
    assertThat(ours.getNetClientOptions().isTrustAll()).isFalse();
  }

  private static RedisOptions options(String uri, String caFile) {
    RedisConfig config = RedisConfig.standalone(uri, 1_000, 0, caFile);
    return RedisClients.options(config, RedisAddress.of(config.servers().get(0)));
  }
}
