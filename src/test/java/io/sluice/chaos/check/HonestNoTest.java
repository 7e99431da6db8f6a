package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.check.HonestNo.Restock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A SKU of two units, of which alice has one when bob is told that it is sold out. */
class HonestNoTest {
  private static final long SKU = 7;
  private static final long TOLD_MS = 100_000;

  private final List<OrderStory> stories = new ArrayList<>();
  private final List<Restock> restocks = new ArrayList<>();

  private void told(String user, int qty, long atMs, String answer) {
    OrderStory story = new OrderStory(new OrderRequest(SKU, user, "k", qty));
    boolean yes = answer.startsWith("20");
    story.asking(Ask.PLACE, atMs);
    story.heard(
        new BookedMark(
            atMs,
            10,
            Ask.PLACE,
            0,
            answer,
            yes ? SKU + ".0." + user : "",
            yes ? List.of(new GrantedUnits(SKU, qty, 1)) : List.of()));
    stories.add(story);
  }

  private List<String> breaches() {
    return HonestNo.breaches(SKU, 2, stories, restocks);
  }

  @Test
  void shouldFindASoldOutWhileAUnitIsFree() {
    // given
    told("alice", 1, 1_000, "201 RESERVED");
    told("carol", 1, 2_000, "409 not-open");
    told("bob", 1, TOLD_MS, "409 sold-out");

    // when
    List<String> breaches = breaches();

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("1 units were free");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2000, 201 RESERVED", // the other unit is sold
    "1, 2000, 503 unavailable", // it may be
    "1, 100005, 201 RESERVED" // at that moment
  })
  void shouldFindNothingWhenTheUnitMayHaveBeenTaken(int qty, long atMs, String answer) {
    // given
    told("alice", 1, 1_000, "201 RESERVED");
    told("carol", qty, atMs, answer);
    told("bob", 1, TOLD_MS, "409 sold-out");

    // when
    List<String> breaches = breaches();

    // then
    assertThat(breaches).isEmpty();
  }

  @Test
  void shouldFindNothingWhenThereIsLessThanWasWanted() {
    // given
    told("alice", 1, 1_000, "201 RESERVED");
    told("bob", 2, TOLD_MS, "409 sold-out");

    // when
    List<String> breaches = breaches();

    // then
    assertThat(breaches).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1000, 39000, true, 1", // long shown by all buckets
    "1, 1000, 41000, true, 0", // maybe not shown yet
    "1, 1000, 39000, false, 0", // refused
    "2, 1000, 39000, true, 2"
  })
  void shouldCountUnitsThatWereAddedOnceAllBucketsShowThem(
      int qty, long beganMs, long endMs, boolean done, int free) {
    // given
    told("alice", 2, 1_000, "201 RESERVED");
    told("bob", 1, TOLD_MS, "409 sold-out");
    restocks.add(new Restock(SKU, qty, beganMs, endMs, done));

    // when
    List<String> breaches = breaches();

    // then
    assertThat(breaches).hasSize(free > 0 ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 2000, true, 0", // one unit less
    "1000, 200000, false, 0", // while it was decided
    "1000, 2000, false, 1", // refused before
    "100020, 100030, true, 1" // afterwards
  })
  void shouldCountUnitsThatWereTakenBackFromTheRequestOn(
      long beganMs, long endMs, boolean done, int found) {
    // given
    told("alice", 1, 1_000, "201 RESERVED");
    told("bob", 1, TOLD_MS, "409 sold-out");
    restocks.add(new Restock(SKU, -1, beganMs, endMs, done));

    // when
    List<String> breaches = breaches();

    // then
    assertThat(breaches).hasSize(found);
  }
}
