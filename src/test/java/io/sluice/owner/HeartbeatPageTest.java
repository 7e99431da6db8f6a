package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The heartbeats in docs/events.md are those that are sent. */
class HeartbeatPageTest {
  private final OwnerScene scene = OwnerScene.withStock(1);

  @Test
  void shouldShowAHeartbeatAsItIsSent() throws IOException {
    // given
    JsonObject shown =
        Files.readString(Path.of("docs", "events.md"))
            .lines()
            .filter(line -> line.startsWith("{\"type\":\"HEARTBEAT\""))
            .map(JsonObject::new)
            .findFirst()
            .orElseThrow();

    // when
    scene.work();

    // then
    JsonObject sent = scene.heartbeats().get(0);
    assertThat(shown.fieldNames()).containsExactlyElementsOf(sent.fieldNames());
    assertThat(shown.getValue("type")).isEqualTo(sent.getValue("type"));
  }
}
