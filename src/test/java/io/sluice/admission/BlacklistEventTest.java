package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.BlacklistKeeper.BlacklistEvent;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.orderlog.Event;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BlacklistEventTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^### `BLACKLIST_CHANGED`$.*?^```json\n(.*?)\n```$");

  @Test
  void shouldBeSentAsThePageShowsIt() throws IOException {
    // given
    Matcher page = EXAMPLE.matcher(Files.readString(Path.of("docs", "events.md")));
    assertThat(page.find()).isTrue();
    JsonObject shown = new JsonObject(page.group(1));
    Ban ban =
        new Ban(
            shown.getString("user_id"),
            shown.getLong("banned_at"),
            shown.getLong("banned_until"),
            shown.getLong("watched_until"),
            shown.getString("reason"),
            shown.getString("banned_by"),
            shown.getLong("version"));

    // when
    Event written = new BlacklistEvent(ban, shown.getLong("at")).written();

    // then
    assertThat(written.payload()).isEqualTo(page.group(1));
    assertThat(written.key()).isEqualTo("alice");
  }
}
