package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns unit = new Turns();
  private final List<String> begun = new ArrayList<>();

  @Test
  void shouldBeginTheNextOnlyWhenTheOneBeforeHasEnded() {
    // given
    Promise<String> first = Promise.promise();
    unit.take(() -> begin("first", first.future()));

    // when
    Future<String> second = unit.take(() -> begin("second", Future.succeededFuture("done")));

    // then
    assertThat(begun).containsExactly("first");
    first.complete("done");
    assertThat(begun).containsExactly("first", "second");
    assertThat(second.result()).isEqualTo("done");
  }

  @Test
  void shouldGoOnWhenTheOneBeforeFails() {
    // given
    Promise<String> first = Promise.promise();
    Future<String> failed = unit.take(() -> begin("first", first.future()));
    unit.take(() -> begin("second", Future.succeededFuture("done")));

    // when
    first.fail("away");

    // then
    assertThat(failed.failed()).isTrue();
    assertThat(begun).containsExactly("first", "second");
  }

  private Future<String> begin(String name, Future<String> work) {
    begun.add(name);
    return work;
  }
}
