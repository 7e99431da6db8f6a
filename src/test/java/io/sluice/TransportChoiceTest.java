package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.LogWatch;
import io.vertx.core.transport.Transport;
import org.junit.jupiter.api.Test;

/** The native transport is used wherever it loads; the fallback to nio is logged with its cause. */
class TransportChoiceTest {
  @Test
  void shouldSayWhyWhenTheNativeTransportCannotBeUsed() {
    try (LogWatch log = LogWatch.of(ListeningTransport.class)) {
      // given
      Throwable innermost =
          new UnsatisfiedLinkError("failed to map segment: Operation not permitted");
      Transport broken = new Offered(false, new IllegalStateException("not loaded", innermost));

      // when
      ListeningTransport chosen = ListeningTransport.of(broken, true);

      // then
      assertThat(chosen.forVertx().name()).isEqualTo("nio");
      assertThat(log.lines()).hasSize(1);
      assertThat(log.lines().get(0))
          .startsWith("WARN ")
          .contains("epoll cannot be used", "java.io.tmpdir", "Operation not permitted");
    }
  }

  @Test
  void shouldSayWhyWhenTheNativeTransportIsMissing() {
    try (LogWatch log = LogWatch.of(ListeningTransport.class)) {
      // when
      ListeningTransport chosen = ListeningTransport.of(null, true);

      // then
      assertThat(chosen.forVertx().name()).isEqualTo("nio");
      assertThat(log.lines()).hasSize(1).allMatch(line -> line.contains("classes are missing"));
    }
  }

  @Test
  void shouldKeepQuietWhenTheNativeTransportIsUsedOrThereIsNoneForThisSystem() {
    try (LogWatch log = LogWatch.of(ListeningTransport.class)) {
      // when
      ListeningTransport chosen = ListeningTransport.of(new Offered(true, null), true);
      ListeningTransport none = ListeningTransport.of(null, false);

      // then
      assertThat(chosen.forVertx().name()).isEqualTo("epoll");
      assertThat(none.forVertx().name()).isEqualTo("nio");
      assertThat(log.lines()).isEmpty();
    }
  }

  private record Offered(boolean available, Throwable unavailabilityCause) implements Transport {
    @Override
    public String name() {
      return "offered";
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
      return Transport.NIO.implementation();
    }
  }
}
