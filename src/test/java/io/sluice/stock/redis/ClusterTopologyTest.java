package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.RedisConfig;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that disagree, hang, or make no sense. */
class ClusterTopologyTest {
  private static final int TIMEOUT_MS = 4_000;
  private static final RedisAddress OLD = new RedisAddress("127.0.0.1", 1);
  private static final RedisAddress NEW = new RedisAddress("127.0.0.1", 2);

  private final Vertx vertx = Vertx.vertx();
  private final OnContext loop = new OnContext(vertx.getOrCreateContext());
  private final FakeNode a = new FakeNode(vertx);
  private final FakeNode b = new FakeNode(vertx);
  private final FakeNode c = new FakeNode(vertx);

  @AfterEach
  void end() {
    await(vertx.close());
  }

  @Test
  void shouldBelieveTheNodeOfTheHighestEpoch() {
    // given
    a.says("ok", 6, OLD);
    b.says("ok", 7, NEW);
    c.says("ok", 6, OLD);

    // when
    ClusterMap map = read(of(a, b, c));

    // then
    assertThat(map.primaries()).containsExactly(NEW);
  }

  @Test
  void shouldNotBelieveANodeThatDoesNotServe() {
    // given
    a.says("fail", 99, OLD);
    b.says("ok", 7, NEW);

    // when
    ClusterMap map = read(of(a, b));

    // then
    assertThat(map.primaries()).containsExactly(NEW);
  }

  @Test
  void shouldNotWaitForANodeThatHangs() {
    // given
    a.hangs();
    b.says("ok", 7, NEW);
    long begin = System.nanoTime();

    // when
    ClusterMap map = read(of(a, b));

    // then
    assertThat(map.primaries()).containsExactly(NEW);
    assertThat(Duration.ofNanos(System.nanoTime() - begin).toMillis()).isLessThan(TIMEOUT_MS);
  }

  @Test
  void shouldKeepTheMapWhereOnlyOneAnswersThatMissedTheLastChange() {
    // given
    a.says("ok", 6, OLD);
    b.says("ok", 7, NEW);
    ClusterTopology unit = of(a, b);
    read(unit);
    b.hangs();

    // when
    ClusterMap map = read(unit);

    // then
    assertThat(map.primaries()).containsExactly(NEW);
  }

  @Test
  void shouldKeepTheMapWhereOneThatCannotBeAskedMayKnowOfAHigherEpoch() {
    // given
    a.says("ok", 7, OLD);
    b.says("ok", 7, OLD);
    ClusterTopology unit = of(a, b);
    read(unit);

    // when
    a.says("ok", 6, a.address());
    b.says("ok", 6, a.address());

    // then
    assertThat(read(unit).primaries()).containsExactly(OLD);
  }

  @Test
  void shouldTakeALowerEpochWhereAllNodesAgreeOnIt() {
    // given
    a.says("ok", 7, a.address());
    b.says("ok", 7, a.address());
    ClusterTopology unit = of(a, b);
    read(unit);

    // when
    a.says("ok", 2, b.address());
    b.says("ok", 2, b.address());

    // then
    assertThat(read(unit).primaries()).containsExactly(b.address());
  }

  @Test
  void shouldAskNodesThatItLearnsOfWhereTheSeedsAreGone() {
    // given
    a.says("ok", 6, b.address());
    b.says("ok", 6, b.address());
    ClusterTopology unit = of(a);
    read(unit);
    a.close();
    b.says("ok", 7, NEW);

    // when
    ClusterMap map = read(unit);

    // then
    assertThat(map.primaries()).containsExactly(NEW);
  }

  @Test
  void shouldReadOncePerPeriodHoweverOftenItIsDoubted() throws InterruptedException {
    // given
    a.says("ok", 6, OLD);
    ClusterTopology unit = of(a);
    read(unit);
    int before = a.asked();
    long begin = System.nanoTime();

    // when
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(1)) {
      unit.doubt();
      TimeUnit.MICROSECONDS.sleep(200);
    }

    // then
    long periods =
        Duration.ofNanos(System.nanoTime() - begin).toMillis() / ClusterTopology.AT_MOST_EVERY_MS;
    assertThat(a.asked() - before).isBetween(2, (int) periods + 1);
  }

  @Test
  void shouldReadOnceMoreWhereItIsDoubtedWhileItReads() {
    // given
    a.hangs();
    ClusterTopology unit = of(a);
    unit.doubt();
    unit.doubt();

    // when
    a.says("ok", 6, NEW);
    unit.doubt();

    // then
    await().atMost(Duration.ofSeconds(15)).until(() -> unit.map() != null);
    assertThat(unit.map().primaries()).containsExactly(NEW);
  }

  @ParameterizedTest
  @CsvSource({
    "*1+OK, Expected",
    "-ERR This instance has cluster support disabled, Expected a node of a cluster",
    "-NOPERM no CLUSTER for you, NOPERM",
    "*1*2:0:9, Expected a range of slots",
  })
  void shouldFailWithWhatIsWrongWhereNoAnswerMakesSense(String reply, String reason) {
    // given
    a.says("cluster_state:ok\r\ncluster_current_epoch:1\r\n", lines(reply));

    // when
    Throwable failure = loop.failureOf(of(a)::read);

    // then
    assertThat(failure).isInstanceOf(ConnectFailure.class).hasMessageContaining(reason);
  }

  @Test
  void shouldFailWhereNobodyCanBeReached() {
    // given
    a.close();
    b.close();

    // when
    Throwable failure = loop.failureOf(of(a, b)::read);

    // then
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.UNREACHABLE);
  }

  private static String lines(String reply) {
    return reply.startsWith("-")
        ? reply + "\r\n"
        : reply.replaceAll("(?<=.)(?=[*+:])", "\r\n") + "\r\n";
  }

  private ClusterTopology of(FakeNode... seeds) {
    List<String> uris = Stream.of(seeds).map(FakeNode::uri).toList();
    var config = new RedisConfig("cluster", "redis://127.0.0.1:6379", uris, "", TIMEOUT_MS, 0, "");
    List<RedisAddress> addresses = Stream.of(seeds).map(FakeNode::address).toList();
    return await(
        loop.call(
            () ->
                Future.succeededFuture(
                    new ClusterTopology(vertx, addresses, new RedisClients(vertx, config)))));
  }

  private ClusterMap read(ClusterTopology unit) {
    return await(loop.call(unit::read));
  }
}
