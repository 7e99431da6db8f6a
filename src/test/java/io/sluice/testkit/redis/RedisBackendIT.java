package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of fault that the backend of the shared Redis offers. */
class RedisBackendIT {
  private final RedisBackend unit = Backends.shared().redis();
  private Vertx vertx;

  @BeforeEach
  void openVertx() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void closeVertx() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldAnswerWhenAsked() throws Exception {
    assertThat(ask(Request.cmd(Command.PING))).hasToString("PONG");
    assertThat(unit.describe()).matches("(Redis|Valkey) \\d.*\\(.+\\)");
  }

  @Test
  void shouldNeverEvictWhenMemoryIsShort() throws Exception {
    Request policy = Request.cmd(Command.CONFIG).arg("GET").arg("maxmemory-policy");
    assertThat(ask(policy).toString()).contains("noeviction");
  }

  @Test
  void shouldKeepItsDataWhenKilledAndStarted() throws Exception {
    // given
    assumeTrue(unit.killable());
    set("kept", "yes");

    // when
    unit.kill();
    unit.start();

    // then
    assertThat(get("kept")).hasToString("yes");
  }

  @Test
  void shouldBeEmptyWhenWiped() throws Exception {
    // given
    assumeTrue(unit.killable());
    set("wiped", "no");
    unit.kill();

    // when
    unit.wipe();

    // then
    unit.start();
    assertThat(get("wiped")).isNull();
  }

  @Test
  void shouldComeBackInThePastWhenAnOlderFileIsRestored() throws Exception {
    // given
    assumeTrue(unit.killable());
    set("price", "old");
    Path past = unit.saveAppendOnlyFile();
    set("price", "new");
    unit.kill();

    // when
    unit.restoreAppendOnlyFile(past);

    // then
    unit.start();
    assertThat(get("price")).hasToString("old");
  }

  @Test
  void shouldRefuseToTouchTheFilesWhenRunning() {
    assumeTrue(unit.killable());
    assertThatThrownBy(unit::wipe)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("wipe() needs Redis to be stopped");
  }

  @Test
  void shouldAnswerOnlyAfterwardsWhenPaused() throws Exception {
    // given
    assumeTrue(unit.killable());
    Redis client = Redis.createClient(vertx, unit.uri());
    client.send(Request.cmd(Command.PING)).await(10, TimeUnit.SECONDS);

    // when
    unit.pause();
    Future<Response> answer = client.send(Request.cmd(Command.PING));

    // then
    assertThatThrownBy(() -> answer.await(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    unit.resume();
    assertThat(answer.await(10, TimeUnit.SECONDS)).hasToString("PONG");
  }

  private void set(String key, String value) throws TimeoutException {
    ask(Request.cmd(Command.SET).arg(key).arg(value));
  }

  private Response get(String key) throws TimeoutException {
    return ask(Request.cmd(Command.GET).arg(key));
  }

  /** Uses a new connection each time, since a restart breaks open ones. */
  private Response ask(Request request) throws TimeoutException {
    Redis client = Redis.createClient(vertx, unit.uri());
    try {
      return client.send(request).await(10, TimeUnit.SECONDS);
    } finally {
      client.close();
    }
  }
}
