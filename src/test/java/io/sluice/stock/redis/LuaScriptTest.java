package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stock.BucketCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the code tables in the headers, the constants in the bodies and the enums. */
class LuaScriptTest {
  private static final Pattern TABLE_LINE = Pattern.compile("--     ([0-9]) ([A-Z_]+)\\b.*");
  private static final Pattern CONSTANTS =
      Pattern.compile("local ([A-Z_, ]+) = ([0-9, ]+)( --.*)?");

  private static final Map<String, Integer> BUCKET_CODES =
      Arrays.stream(BucketCode.values())
          .collect(Collectors.toMap(BucketCode::name, BucketCode::ordinal));
  private static final Map<String, Integer> TOKEN_CODES =
      Arrays.stream(TokenCode.values())
          .collect(Collectors.toMap(TokenCode::name, TokenCode::ordinal));

  @ParameterizedTest
  @EnumSource
  void shouldGiveBucketCodesTheNumbersOfTheEnum(LuaScript script) {
    // given
    String header = header(script);

    // when
    Map<String, Integer> table = table(header, "bucket codes");

    // then
    assertThat(table).isNotEmpty();
    assertThat(BUCKET_CODES).containsAllEntriesOf(table);
  }

  @Test
  void shouldListAllTokenCodesInTheirOrderOfPrecedence() {
    // given
    String header = header(LuaScript.RESERVE);

    // when
    Map<String, Integer> table = table(header, "token codes");

    // then
    assertThat(table).isEqualTo(TOKEN_CODES);
    assertThat(table.keySet())
        .containsExactly(
            Arrays.stream(TokenCode.values()).map(TokenCode::name).toArray(String[]::new));
  }

  @Test
  void shouldGiveCartsTheCodesOfTokensAndTwoMore() {
    // given
    String header = header(LuaScript.RESERVE_CARTS);

    // when
    Map<String, Integer> table = table(header, "cart codes");

    // then
    assertThat(table)
        .containsAllEntriesOf(TOKEN_CODES)
        .containsEntry("TORN", 8)
        .containsEntry("AWAY", 9)
        .hasSize(TOKEN_CODES.size() + 2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldDeclareAndUseExactlyTheCodesOfTheHeader(LuaScript script) {
    // given
    Map<String, Integer> promised = new TreeMap<>(table(header(script), "bucket codes"));
    if (script == LuaScript.RESERVE) {
      promised.putAll(table(header(script), "token codes"));
    } else if (script == LuaScript.RESERVE_CARTS) {
      promised.putAll(table(header(script), "cart codes"));
    }

    // when
    Map<String, Integer> declared = declaredCodes(body(script));

    // then
    assertThat(declared).isEqualTo(promised);
    assertThat(declared.keySet())
        .allSatisfy(code -> assertThat(occurrences(body(script), code)).isGreaterThan(1));
  }

  @ParameterizedTest
  @EnumSource
  void shouldIndexKeysAndArgumentsOnlyToNameThem(LuaScript script) {
    // given
    List<String> lines = body(script).lines().toList();

    // when
    var indexing = lines.stream().filter(line -> line.contains("KEYS[")).toList();

    // then
    assertThat(indexing)
        .hasSize(1)
        .allSatisfy(line -> assertThat(line.strip()).startsWith("local stock_key"));
    assertThat(lines.stream().filter(line -> line.contains("ARGV[")))
        .allSatisfy(line -> assertThat(line.strip()).matches("(local .*|for .*)"));
  }

  @Test
  void shouldBeKnownByTheHashOfItsText() {
    // given
    LuaScript script = LuaScript.RESERVE;

    // when
    String sha1 = RedisUnderTest.text(script.sha1());

    // then
    assertThat(sha1).matches("[0-9a-f]{40}");
    assertThat(Arrays.stream(LuaScript.values()).map(s -> RedisUnderTest.text(s.sha1())))
        .doesNotHaveDuplicates();
    assertThat(RedisUnderTest.text(script.source())).contains("GRANTED");
  }

  /** The script's file, without the frame. */
  private static String text(LuaScript script) {
    try {
      return Files.readString(Path.of("src/main/resources/lua", script.fileName()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String header(LuaScript script) {
    return text(script)
        .lines()
        .takeWhile(line -> line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  private static String body(LuaScript script) {
    return text(script).substring(header(script).length());
  }

  /** The "number NAME" lines below the heading of this table, up to the first other line. */
  private static Map<String, Integer> table(String header, String name) {
    Map<String, Integer> table = new LinkedHashMap<>();
    boolean inside = false;
    for (String line : header.split("\n")) {
      Matcher entry = TABLE_LINE.matcher(line);
      if (line.startsWith("--   " + name)) {
        inside = true;
      } else if (inside && entry.matches()) {
        table.put(entry.group(2), Integer.valueOf(entry.group(1)));
      } else if (inside && !line.startsWith("--      ")) {
        inside = false;
      }
    }
    return table;
  }

  private static Map<String, Integer> declaredCodes(String body) {
    Map<String, Integer> declared = new TreeMap<>();
    for (String line : body.split("\n")) {
      Matcher constants = CONSTANTS.matcher(line);
      if (constants.matches() && !constants.group(1).contains("_MAX")) {
        List<String> names = new ArrayList<>(List.of(constants.group(1).split(", ")));
        String[] numbers = constants.group(2).split(", ");
        for (int i = 0; i < numbers.length; i++) {
          declared.put(names.get(i), Integer.valueOf(numbers[i]));
        }
      }
    }
    return declared;
  }

  private static long occurrences(String body, String code) {
    return Pattern.compile("\\b" + code + "\\b").matcher(body).results().count();
  }
}
