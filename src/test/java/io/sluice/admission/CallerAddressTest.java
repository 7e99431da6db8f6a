package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Cidr;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerAddressTest {
  private static final List<Cidr> PROXIES =
      Stream.of("10.0.0.0/8", "fd00::/16", "::1").map(Cidr::parse).toList();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Who is no proxy counts himself, whatever he sends.
        "203.0.113.9 | 198.51.100.7                        | 203.0.113.9",
        "203.0.113.9 |                                     | 203.0.113.9",
        // A proxy's caller is the right-most hop that is no proxy.
        "10.0.0.1    | 198.51.100.7                        | 198.51.100.7",
        "10.0.0.1    | 1.2.3.4, 198.51.100.7               | 198.51.100.7",
        "10.0.0.1    | 1.2.3.4, 198.51.100.7, 10.0.0.2     | 198.51.100.7",
        "10.0.0.1    | 1.2.3.4, 198.51.100.7;10.9.9.9      | 198.51.100.7",
        "::1         | 198.51.100.7:41234                  | 198.51.100.7",
        "10.0.0.1    | [2001:db8:1:2:3:4:5:6]:443          | 2001:db8:1:2::",
        // All of an IPv6 caller's addresses are one.
        "2001:db8:1:2:aaaa:bbbb:cccc:dddd | 1.2.3.4        | 2001:db8:1:2::",
        "2001:db8:1:2::7%eth0 |                            | 2001:db8:1:2::",
        "::ffff:203.0.113.9 |                              | 203.0.113.9",
        // What is no address ends the way, and counts for the proxy that passed it on.
        "10.0.0.1    | 198.51.100.7, unknown               | 10.0.0.1",
        "10.0.0.1    | 198.51.100.7, , 10.0.0.2            | 10.0.0.2",
        // Only proxies: the first of them.
        "10.0.0.1    | 10.0.0.3, 10.0.0.2                  | 10.0.0.3",
      })
  void shouldFindTheCaller(String peer, String forwarded, String caller) {
    // when
    String found =
        CallerAddress.of(
            peer, forwarded == null ? List.of() : List.of(forwarded.split(";")), PROXIES);

    // then
    assertThat(found).isEqualTo(caller);
  }

  @Test
  void shouldGiveUpWhenTheChainIsLong() {
    // when
    String found =
        CallerAddress.of("10.0.0.1", List.of("1.2.3.4" + ",10.0.0.2".repeat(5_000)), PROXIES);

    // then
    assertThat(found).isEqualTo("10.0.0.2");
  }

  @Test
  void shouldCountTogetherWhoHasNoAddress() {
    assertThat(CallerAddress.of(null, List.of("1.2.3.4"), PROXIES)).isEmpty();
  }
}
