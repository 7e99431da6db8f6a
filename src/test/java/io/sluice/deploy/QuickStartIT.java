package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * README's first example, its commands as they stand there, on a database made by the file that it
 * names (as all databases of the tests are).
 */
class QuickStartIT {
  private static final String BEGIN = "**With a database alone**";
  private static final String FENCE = "```";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final Vertx vertx = Vertx.vertx();
  private final HttpCaller caller = new HttpCaller(vertx);

  @AfterEach
  void close() {
    vertx.close();
  }

  @Test
  void shouldSellAndTakeThePaymentWhenReadmeIsFollowed() {
    // given
    List<String> commands = commands();
    Map<String, String> settings = new TreeMap<>(variables(commands.get(2)));
    settings.put("SLUICE_MYSQL_URI", Backends.shared().mysql().newDatabase());

    // when
    Answer created;
    Answer ordered;
    Answer paid;
    try (SluiceProcess unit =
        SluiceProcess.ofClasses("quick-start", List.of("-Xmx384m"), settings, caller)) {
      unit.start().awaitReady();
      created = caller.ask(call(unit, commands.get(3)));
      ordered = caller.ask(call(unit, commands.get(4)));
      paid = caller.ask(call(unit, commands.get(5).replace("ORDER_TOKEN", ordered.token())));
    }

    // then
    assertThat(commands.get(0)).endsWith("< conf/ledger.sql");
    assertThat(commands.get(1)).isEqualTo("mvn -DskipTests package");
    assertThat(commands.get(2)).endsWith(" java -jar target/sluice.jar");
    assertThat(created.status()).isEqualTo(201);
    assertThat(ordered.brief()).isEqualTo("201 PENDING");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
  }

  /** The lines of the first two blocks behind the begin, without comments. */
  private static List<String> commands() {
    String readme = YamlFiles.text(Path.of("README.md"));
    String[] parts = readme.substring(readme.indexOf(BEGIN)).split(FENCE);
    return (parts[1] + parts[3])
        .lines()
        .map(line -> line.replaceFirst("\\s+# .*", "").strip())
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  private static Map<String, String> variables(String command) {
    Map<String, String> set = new TreeMap<>();
    for (String word : command.split(" ")) {
      if (word.startsWith("SLUICE_")) {
        set.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
      }
    }
    return set;
  }

  private static Call call(SluiceProcess unit, String curl) {
    List<String> words = new ArrayList<>();
    WORD.matcher(curl)
        .results()
        .map((MatchResult word) -> word.group(1) == null ? word.group(2) : word.group(1))
        .forEach(words::add);
    String url =
        words
            .get(3)
            .replace("localhost:8080", unit.url())
            .replace("localhost:8081", unit.adminUrl());
    Call call = Call.of(words.get(2), url);
    for (int i = 4; i < words.size(); i += 2) {
      String value = words.get(i + 1);
      call =
          words.get(i).equals("-d")
              ? call.body(value)
              : call.header(value.split(": ")[0], value.split(": ")[1]);
    }
    return call;
  }
}
