package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.StockUnavailableException;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every script checks its arguments before its first write: an invalid one changes nothing. */
class LuaArgumentsIT {
  private static final String TOKEN = "7.0.0000000000000000000001";
  private static final String RECORD = "L|1|1|1|1|1|0||bob";
  private static final BucketId BUCKET = new BucketId(System.nanoTime(), 0);

  private static RedisUnderTest redis;
  private static RedisNode runner;
  private static String mark;

  @BeforeAll
  static void loadABucketAndLeaveItMarked() {
    redis = new RedisUnderTest();
    runner = new RedisNode(redis.vertx, redis.connector(), redis.meters);
    await(redis.loop.call(runner::start));
    mark = run(LuaScript.FREEZE, List.of("5", "1")).get(1).toString();
    run(LuaScript.LOAD, load("5", "9"));
  }

  @AfterAll
  static void disconnect() {
    await(redis.loop.call(runner::close));
    redis.close();
  }

  /** The bucket's name and sale, then a cart: a valid one has two lines, of two buckets. */
  static Stream<Arguments> wrongCarts() {
    String id = TOKEN.substring(TOKEN.lastIndexOf('.') + 1);
    String name = BUCKET.skuId() + ".0";
    return Stream.of(
            List.<String>of(),
            List.of(name),
            List.of(name, "0"),
            List.of(name, "0", id),
            List.of(name, "0", id, "bob", ""),
            List.of(name, "0", id, "bob", "", "1", "1", "1"),
            List.of(name, "0", id, "bob", "", "21", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "", "1.5", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "", "nan", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "", "two", "1", "1", "1", "1"),
            List.of(name, "0", "", "bob", "", "2", "1", "1", "1", "1"),
            List.of(name, "0", id, "", "", "2", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "a|b", "2", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "a@b", "2", "1", "1", "1", "1"),
            // A bucket twice, one that is not there, and quantities that are none.
            List.of(name, "0", id, "bob", "", "2", "1", "1", "1", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "1", "2", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "1", "0", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "0", "1", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "1001", "1", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "1.5", "1", "1"),
            List.of(name, "0", id, "bob", "", "2", "1", "1"))
        .map(arguments -> Arguments.of(LuaScript.RESERVE_CARTS, arguments));
  }

  static Stream<Arguments> wrongArguments() {
    List<String> tooMany = new ArrayList<>(Collections.nCopies(1 + 4 * 513, "1"));
    return Stream.of(
        Arguments.of(LuaScript.RESERVE, List.of()),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob", "1", "", TOKEN)),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob", "1")),
        Arguments.of(LuaScript.RESERVE, List.of("0", "", "bob", "1", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "", "1", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob", "one", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob", "1.5", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "bob", "1", "a|b")),
        Arguments.of(
            LuaScript.RESERVE, List.of("0", TOKEN, TOKEN, "bob", "bob", "1", "nan", "", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, TOKEN, "bob", "", "1", "1", "", "")),
        Arguments.of(LuaScript.RESERVE, List.of("0", TOKEN, "", "bob", "bob", "1", "1", "", "")),
        Arguments.of(
            LuaScript.RESERVE, List.of("0", TOKEN, TOKEN, "bob", "bob", "1", "1", "", "=")),
        Arguments.of(LuaScript.RESERVE, tooMany),
        Arguments.of(LuaScript.TOKENS, List.of("0")),
        Arguments.of(LuaScript.TOKENS, List.of("first", "1")),
        Arguments.of(LuaScript.TOKENS, List.of("0", "0")),
        Arguments.of(LuaScript.TOKENS, List.of("0", "2001")),
        Arguments.of(LuaScript.TOKENS, List.of("0", "1.5")),
        Arguments.of(LuaScript.TOKENS, List.of("0", "all")),
        Arguments.of(LuaScript.TOKENS, List.of("0", "1", "1")),
        Arguments.of(LuaScript.LOOKUP, List.of()),
        Arguments.of(LuaScript.LOOKUP, Collections.nCopies(513, TOKEN)),
        Arguments.of(LuaScript.OVERDUE, List.of("1")),
        Arguments.of(LuaScript.OVERDUE, List.of("-1", "1", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "1", "-1")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "1", "some")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "2001", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "1", "1", "0", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("old", "1", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("0.5", "1", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "all", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "1.5", "0")),
        Arguments.of(LuaScript.OVERDUE, List.of("1", "0", "0")),
        Arguments.of(LuaScript.BOOK, List.of("5")),
        Arguments.of(LuaScript.BOOK, List.of("five", "0", "0", TOKEN)),
        Arguments.of(LuaScript.BOOK, List.of("0", "0", "0", TOKEN)),
        Arguments.of(LuaScript.BOOK, List.of("5", "0", "0")),
        Arguments.of(LuaScript.BOOK, List.of("5", "-1", "0", TOKEN)),
        Arguments.of(LuaScript.BOOK, List.of("5", "0", "none", TOKEN)),
        Arguments.of(LuaScript.BOOK, Collections.nCopies(516, "5")),
        Arguments.of(LuaScript.RELEASE, List.of("5")),
        Arguments.of(LuaScript.RELEASE, List.of("0", TOKEN, "1", "1", "0", "0")),
        Arguments.of(LuaScript.RELEASE, List.of("5", TOKEN, "1", "1", "0")),
        Arguments.of(LuaScript.RELEASE, List.of("5", TOKEN, "one", "1", "0", "0")),
        Arguments.of(LuaScript.RELEASE, List.of("5", TOKEN, "1", "1", "-1", "0")),
        Arguments.of(LuaScript.RELEASE, List.of("5", TOKEN, "1", "1", "0", "-1")),
        Arguments.of(
            LuaScript.RELEASE, List.of("5", TOKEN, "1", "1", "0", "0", TOKEN, "1", "-1", "0", "0")),
        Arguments.of(LuaScript.RELEASE, Collections.nCopies(1 + 5 * 513, "5")),
        Arguments.of(LuaScript.RESTOCK, List.of("5", "10", "60", "OPEN", "0", "0", "0")),
        Arguments.of(LuaScript.RESTOCK, restock("5", "OPENED", "0")),
        Arguments.of(LuaScript.RESTOCK, restock("5", "OPEN", "-1")),
        Arguments.of(LuaScript.RESTOCK, restock("x", "OPEN", "0")),
        Arguments.of(
            LuaScript.RESTOCK, List.of("5", "10", "60", "OPEN", "0", "0", "0", "300", "all")),
        Arguments.of(LuaScript.QUIET, List.of("1")),
        Arguments.of(LuaScript.SOLD_OUT, List.of("1")),
        Arguments.of(LuaScript.TAKE, List.of("5", "7", "1", "9")),
        Arguments.of(LuaScript.TAKE, List.of("5", "", "1", "9", "1")),
        Arguments.of(LuaScript.TAKE, List.of("5", "7", "0", "9", "1")),
        Arguments.of(LuaScript.TAKE, List.of("5", "7", "1", "none", "1")),
        Arguments.of(LuaScript.TAKE, List.of("5", "7", "1", "9", "0.5")),
        Arguments.of(LuaScript.TAKE, List.of("0", "7", "1", "9", "1")),
        Arguments.of(LuaScript.TAKE, List.of("five", "7", "1", "9", "1")),
        Arguments.of(LuaScript.TAKE, List.of("5", "7", "1", "9", "1", "1")),
        Arguments.of(LuaScript.FREEZE, List.of()),
        Arguments.of(LuaScript.FREEZE, List.of("6")),
        Arguments.of(LuaScript.FREEZE, List.of("0", "6")),
        Arguments.of(LuaScript.FREEZE, List.of("6", "0")),
        Arguments.of(LuaScript.FREEZE, List.of("6", "many")),
        Arguments.of(LuaScript.FREEZE, List.of("6", "6", "6")),
        Arguments.of(LuaScript.LOAD, List.of("5", "mark")),
        Arguments.of(LuaScript.LOAD, load("5", "many")),
        Arguments.of(LuaScript.LOAD, load("-5", "9")),
        Arguments.of(LuaScript.LOAD, append(load("5", "9"), "1")),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("5", "mark")),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("5", "mark", TOKEN)),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("five", "mark", TOKEN, RECORD)),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("5", "mark", "", RECORD)),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("5", "mark", TOKEN, "L|1|1|1|1|1||bob")),
        Arguments.of(LuaScript.LOAD_PAGE, List.of("5", "mark", TOKEN, "X|1|1|1|1|1|0||bob")),
        Arguments.of(LuaScript.LOAD_PAGE, page(513)),
        Arguments.of(LuaScript.OPEN, List.of("5")),
        Arguments.of(LuaScript.OPEN, List.of("five", "mark")),
        Arguments.of(LuaScript.UNLOAD, List.of("5")),
        Arguments.of(LuaScript.UNLOAD, List.of("five", "mark")),
        Arguments.of(LuaScript.UNLOAD, List.of("5", "mark", "1")),
        Arguments.of(LuaScript.SNAPSHOT, List.of()),
        Arguments.of(LuaScript.SNAPSHOT, List.of("2001")),
        Arguments.of(LuaScript.SNAPSHOT, List.of("-1")),
        Arguments.of(LuaScript.SNAPSHOT, Collections.nCopies(5_002, "1")));
  }

  @ParameterizedTest
  @MethodSource({"wrongArguments", "wrongCarts"})
  void shouldLeaveNoTraceWhenAnArgumentIsWrong(LuaScript script, List<String> arguments) {
    // given
    String before = everything();
    List<String> withMark =
        arguments.stream().map(text -> text.equals("mark") ? mark : text).toList();

    // when
    Throwable failure = failureOf(script, withMark);

    // then
    String name = script.fileName().replace(".lua", "");
    assertThat(failure)
        .isInstanceOf(StockUnavailableException.class)
        .hasMessageContaining("ERR " + name + ": expected");
    assertThat(everything()).isEqualTo(before);
  }

  private static List<String> restock(String term, String state, String limit) {
    return List.of(term, "10", "60", state, "0", "0", limit, "300", "");
  }

  private static List<String> page(int orders) {
    List<String> arguments = new ArrayList<>(List.of("5", "mark"));
    for (int i = 0; i < orders; i++) {
      arguments.addAll(List.of("7.0.%022d".formatted(i), RECORD));
    }
    return arguments;
  }

  private static List<String> append(List<String> arguments, String more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toList();
  }

  private static List<String> load(String term, String claimed) {
    return List.of(
        term,
        mark == null ? "?" : mark,
        "1",
        claimed,
        "9",
        "60",
        "OPEN",
        "0",
        "0",
        "1",
        "300",
        "",
        "0");
  }

  private static Response run(LuaScript script, List<String> arguments) {
    return await(redis.loop.call(() -> runner.of(0).run(call(script, arguments))));
  }

  private static Throwable failureOf(LuaScript script, List<String> arguments) {
    return redis.loop.failureOf(() -> runner.of(0).run(call(script, arguments)));
  }

  private static LuaCall call(LuaScript script, List<String> arguments) {
    LuaCall call = new LuaCall(script, StockKeys.of(0, BUCKET), arguments.size());
    arguments.forEach(call::add);
    return call;
  }

  /** The contents of the bucket's keys. */
  private static String everything() {
    StockKeys keys = StockKeys.of(0, BUCKET);
    return redis.send(Command.HGETALL, keys.stock())
        + "/"
        + redis.send(Command.HGETALL, keys.reserve())
        + "/"
        + redis.send(Command.ZRANGE, keys.unbooked(), "0", "-1")
        + "/"
        + redis.send(Command.HGETALL, keys.buyers());
  }
}
