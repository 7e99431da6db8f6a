package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FutureChainsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Future<Void> f() { for (var x : xs) { all = all.compose(done -> one(x)); } return all; }",
        "Future<Void> f() { xs.forEach(x -> { all = all.transform(d -> one(x)).mapEmpty(); }); }",
        "Future<Void> f() { while (more()) { this.all = all.map(1).recover(e -> one()); } }",
        "<T> Future<T> f() { Future<T> mine = last.transform(b -> one()); last = mine; return mine;"
            + " }",
        "Future<Void> f() { return one().compose(x -> f()); }",
        "Future<Void> f() { return one().recover(x -> { log(); return this.f(); }); }",
        "Future<Void> f() { return one().compose(x -> more ? two().map(y -> 1).flatMap(y -> f())"
            + " : end()); }",
        "Future<Void> f(int n) { return one().transform(x -> timer().compose(y -> f(n + 1))); }",
        "Future<Void> f() { return one().compose(this::f); }",
      })
  void shouldFindAChainThatGrows(String method) {
    assertThat(chainsIn(method)).containsExactly("f");
  }

  @Test
  void shouldFindAChainThatGrowsByWayOfAnotherMethod() {
    assertThat(
            chainsIn(
                "Future<Void> f() { return one().recover(e -> again(e)); }"
                    + " Future<Void> again(Throwable e) { return e == null ? end() : f(); }"))
        .containsExactly("f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Future<Void> f() { return one().compose(x -> g()).compose(x -> h()); }",
        "Future<Void> f() { Future<Void> done = one(); return done.compose(x -> g()); }",
        "Future<Void> f() { return AsyncLoop.whileTrue(() -> one().compose(x -> two())); }",
        "void f() { text = text.map(x -> 1); other = all.compose(x -> one()); }",
        "Future<Void> f(int n) { return one().compose(x -> f()); }",
        "Future<Void> f() { return one().compose(x -> other.f()); }",
        "void f() { one().onComplete(x -> f()); }",
        "Future<Void> f() { return one().compose(x -> g()); } void g() { timer(() -> f()); }",
        "int f(int n) { return n == 0 ? 0 : f(n - 1); }",
      })
  void shouldFindNothingWhereNoChainGrows(String method) {
    assertThat(chainsIn(method)).isEmpty();
  }

  private static Collection<String> chainsIn(String members) {
    return FutureChains.in("class Sample { " + members + " }");
  }
}
