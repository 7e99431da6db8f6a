package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.RestockPlan.PartStatus.PENDING;
import static io.sluice.ledger.rules.RestockPlan.PartStatus.REFUSED;
import static io.sluice.ledger.rules.RestockPlan.PartStatus.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.ledger.rules.RestockPlan.Next;
import io.sluice.ledger.rules.RestockPlan.Part;
import io.sluice.ledger.rules.RestockPlan.PartStatus;
import io.sluice.model.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RestockPlanTest {

  @ParameterizedTest
  @CsvSource({"10, 3, '4 3 3'", "0, 2, '0 0'", "2, 4, '1 1 0 0'", "1000000000, 1, 1000000000"})
  void shouldSplitEvenlyWhenUnitsAreAdded(long units, int buckets, String parts) {
    // when
    long[] spread = RestockPlan.spread(units, buckets);

    // then
    assertThat(spread).containsExactly(numbers(parts));
  }

  @ParameterizedTest
  @CsvSource({
    "4, '5 5', '2 2'",
    "5, '5 5', '3 2'",
    "6, '10 2', '6 0'",
    "9, '10 2', '9 0'",
    "12, '10 2', '10 2'",
    "1, '0 3 3', '0 1 0'",
    "20, '10 2', '10 2'",
  })
  void shouldLeaveTheRestEvenWhenUnitsAreTaken(long units, String caps, String parts) {
    // when
    long[] level = RestockPlan.level(units, numbers(caps));

    // then
    assertThat(level).containsExactly(numbers(parts));
  }

  @Test
  void shouldNameRowsWhenRoundsFollow() {
    // when
    List<String> tokens =
        List.of(
            RestockPlan.token("r1", 3, 1),
            RestockPlan.token("r1", 3, 2),
            RestockPlan.undoToken("r1", 3));

    // then
    assertThat(tokens).containsExactly("r1#3", "r1#3#2", "r1#3#undo");
    assertThat(Limits.isRestockId(RestockPlan.INITIAL))
        .as("an id that no request can have")
        .isFalse();
  }

  @Test
  void shouldFitTheIdOfASaleIntoTheColumnWhateverItsLength() {
    // given
    String longest = "x".repeat(Limits.RESTOCK_ID_MAX);

    // when
    List<String> ids =
        Stream.of("r1", "R1", longest, longest.replaceFirst("x", "y"))
            .flatMap(asked -> Stream.of(2L, Long.MAX_VALUE).map(no -> RestockPlan.idOf(no, asked)))
            .toList();

    // then
    assertThat(ids)
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(id.length()).isLessThanOrEqualTo(Limits.RESTOCK_ID_MAX))
        .noneMatch(Limits::isRestockId);
    assertThat(ids.get(0)).isEqualTo("!2-r1");
  }

  /** The units that are wanted, those of each bucket, what was asked before, and what is next. */
  static Stream<Arguments> steps() {
    int last = RestockPlan.ROUNDS_MAX;
    return Stream.of(
        step("a part has no answer", 5, "10", new Next.Wait(), part(0, 1, 5, PENDING)),
        step(
            "all is taken",
            6,
            "0 0",
            new Next.Complete(),
            part(0, 1, 5, TAKEN),
            part(1, 2, 1, TAKEN)),
        step("a bucket refused: half", 7, "10", round(2, 4), part(0, 1, 8, REFUSED)),
        step(
            "together they have too few",
            10,
            "0 5",
            new Next.GiveUp(9, Map.of(0, 5L)),
            part(0, 1, 5, TAKEN),
            part(1, 1, 5, REFUSED)),
        step(
            "it gave half after it refused 8: 7 may be there",
            7,
            "16",
            round(3, 3),
            part(0, 1, 8, REFUSED),
            part(0, 2, 4, TAKEN)),
        step(
            "it gave half after it refused 8: there are no 8",
            8,
            "16",
            new Next.GiveUp(7, Map.of(0, 4L)),
            part(0, 1, 8, REFUSED),
            part(0, 2, 4, TAKEN)),
        step("the last round but one", 5, "10", round(last, 4), part(0, last - 1, 1, TAKEN)),
        step(
            "the last round, whatever may be there",
            5,
            "10",
            new Next.GiveUp(11, Map.of(0, 1L)),
            part(0, last, 1, TAKEN)),
        step("the ledger has too few", 10, "4 5", new Next.GiveUp(9, Map.of())));
  }

  private static Arguments step(
      String name, long wanted, String free, Next expected, Part... history) {
    return arguments(named(name, List.of(history)), wanted, numbers(free), expected);
  }

  private static Next round(int number, long units) {
    return new Next.Round(number, Map.of(0, units));
  }

  @ParameterizedTest
  @MethodSource("steps")
  void shouldGoOnAsWhatWasAnsweredAllows(
      List<Part> history, long wanted, long[] free, Next expected) {
    assertThat(RestockPlan.next(wanted, free, history)).isEqualTo(expected);
  }

  @RepeatedTest(200)
  void shouldTakeExactlyWhatIsThereWhenRedisHasFewerThanTheLedgerShows(RepetitionInfo run) {
    // given
    Random random = new Random(run.getCurrentRepetition());
    int buckets = 1 + random.nextInt(6);
    long[] free = random.longs(buckets, 0, 100).toArray();
    long[] inRedis = Arrays.stream(free).map(units -> random.nextLong(units + 1)).toArray();
    long there = Arrays.stream(inRedis).sum();
    long wanted = 1 + random.nextLong(there + 10);
    List<Part> history = new ArrayList<>();

    // when
    Next next = RestockPlan.next(wanted, free, history);
    while (next instanceof Next.Round round) {
      round
          .units()
          .forEach((bucket, units) -> answer(history, round, bucket, units, inRedis, free));
      next = RestockPlan.next(wanted, free, history);
    }

    // then
    if (wanted <= there) {
      assertThat(next).isEqualTo(new Next.Complete());
    } else {
      assertThat(next).isInstanceOf(Next.GiveUp.class);
      long taken = ((Next.GiveUp) next).taken().values().stream().mapToLong(u -> u).sum();
      assertThat(taken).isEqualTo(there - Arrays.stream(inRedis).sum());
    }
    assertThat(history).allSatisfy(part -> assertThat(part.round()).isLessThan(30));
  }

  private static void answer(
      List<Part> history, Next.Round round, int bucket, long units, long[] inRedis, long[] free) {
    boolean gives = inRedis[bucket] >= units;
    if (gives) {
      inRedis[bucket] -= units;
      free[bucket] -= units;
    }
    PartStatus status = gives ? TAKEN : REFUSED;
    history.add(part(bucket, round.round(), units, status));
  }

  private static Part part(int bucket, int round, long units, PartStatus status) {
    return new Part(bucket, round, units, status);
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
  }
}
