package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderTokens;
import io.sluice.testkit.ManualClock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoisonSearchTest {
  private static final int COMMANDS = 1_000;
  private static final Step STEP = new Step(0, 1, 0, COMMANDS);

  private final List<Command> batch =
      IntStream.range(0, COMMANDS).mapToObj(PoisonSearchTest::command).toList();

  private final Set<Command> poison = new HashSet<>();
  private final StoreCalls calls = new StoreCalls();
  private final Ledger ledger =
      calls.before(Ledger.class, new InMemoryLedger(1, new ManualClock()));
  private final PoisonSearch unit =
      new PoisonSearch(
          ledger, STEP, (one, why) -> new Command.Malformed(one.toString(), why.getMessage()));

  @BeforeEach
  void refusePoison() {
    calls.instead.put(
        "rehearse",
        call ->
            ((List<?>) call[1]).stream().anyMatch(poison::contains)
                ? Future.failedFuture(new UnprocessableException("too long", null))
                : Future.succeededFuture());
  }

  @Test
  void shouldChangeNothingWhenAllCanBeApplied() {
    // when
    List<Command> clean = unit.replacePoison(batch).result();

    // then
    assertThat(clean).isEqualTo(batch);
    assertThat(calls.of("rehearse")).hasSize(1);
  }

  @Test
  void shouldReplaceEachPoisonInItsPlaceAndNothingElse() {
    // given
    List<Integer> places = List.of(0, 1, 499, 500, 731, COMMANDS - 1);
    places.forEach(place -> poison.add(batch.get(place)));

    // when
    List<Command> clean = unit.replacePoison(batch).result();

    // then
    List<Command> expected = new ArrayList<>(batch);
    places.forEach(
        place ->
            expected.set(place, new Command.Malformed(batch.get(place).toString(), "too long")));
    assertThat(clean).isEqualTo(expected);
  }

  @Test
  void shouldReplaceAllWhenAllArePoison() {
    // given
    poison.addAll(batch);

    // when
    List<Command> clean = unit.replacePoison(batch).result();

    // then
    assertThat(clean).hasSize(COMMANDS).allMatch(Command.Malformed.class::isInstance);
  }

  /** A binary search: two calls for each of ten halvings of a thousand commands, plus the first. */
  @Test
  void shouldRehearseOnlyHalvesOfWhatHoldsThePoison() {
    // given
    poison.add(batch.get(731));

    // when
    unit.replacePoison(batch);

    // then
    assertThat(calls.of("rehearse")).hasSizeLessThanOrEqualTo(1 + 2 * 10);
  }

  @Test
  void shouldRehearseInTheStepThatTheBatchIsAppliedIn() {
    // when
    unit.replacePoison(batch);

    // then
    assertThat(calls.of("rehearse")).allMatch(call -> call[0].equals(STEP));
  }

  @Test
  void shouldGiveUpAtOnceWhenTheDatabaseCannotBeAsked() {
    // given
    RuntimeException away = new IllegalStateException("away");
    calls.fail("rehearse", away);

    // when
    Future<List<Command>> clean = unit.replacePoison(batch);

    // then
    assertThat(clean.cause()).isSameAs(away);
    assertThat(calls.of("rehearse")).hasSize(1);
  }

  private static Command command(int number) {
    OrderTokens tokens = new OrderTokens(new byte[16]);
    return new Command.Confirm(tokens.tokenFor("buyer" + number, new BucketId(1001, 0), null));
  }
}
