package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config;
import io.sluice.config.ConfigLoader;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only this machine or its network can reach is not sent to. */
class AddressGuardTest {
  @ParameterizedTest
  @CsvSource({
    "93.184.216.34,true,true",
    "2606:2800:220:1:248:1893:25c8:1946,true,true",
    "::ffff:93.184.216.34,true,true",
    "127.0.0.1,false,true",
    "127.8.9.10,false,true",
    "::1,false,true",
    "::ffff:127.0.0.1,false,true",
    "::ffff:7f00:1,false,true",
    "10.1.2.3,false,true",
    "172.16.0.1,false,true",
    "172.32.0.1,true,true",
    "192.168.1.1,false,true",
    "100.64.0.1,false,true",
    "100.128.0.1,true,true",
    "fd00::1,false,true",
    "64:ff9b::a00:1,false,true",
    "2002:7f00:1::,false,true",
    "169.254.169.254,false,false",
    "::ffff:169.254.169.254,false,false",
    "fe80::1%eth0,false,false",
    "0.0.0.0,false,false",
    "0.1.2.3,false,false",
    "::,false,false",
    "224.0.0.1,false,false",
    "255.255.255.255,false,false",
    "ff02::1,false,false",
  })
  void shouldAdmitAnAddress(String ip, boolean byDefault, boolean withPrivate) {
    assertThat(new AddressGuard(false).admits(ip)).isEqualTo(byDefault);
    assertThat(new AddressGuard(true).admits(ip)).isEqualTo(withPrivate);
  }

  @ParameterizedTest
  @CsvSource({
    "auto,127.0.0.1,127.0.0.1,true",
    "auto,localhost,::1,true",
    "auto,0.0.0.0,127.0.0.1,false",
    "auto,127.0.0.1,10.0.7.21,false",
    "yes,0.0.0.0,10.0.7.21,true",
    "no,127.0.0.1,127.0.0.1,false",
  })
  void shouldAdmitPrivateAddressesAsConfigured(
      String key, String httpHost, String adminHost, boolean allowsPrivate) throws Exception {
    // when
    Config config =
        ConfigLoader.load(
                null,
                Map.of(
                    "SLUICE_WEBHOOKS_ALLOW_PRIVATE", key,
                    "SLUICE_HTTP_HOST", httpHost,
                    "SLUICE_ADMIN_HOST", adminHost))
            .config();

    // then
    assertThat(AddressGuard.of(config)).isEqualTo(new AddressGuard(allowsPrivate));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://a.example/",
        "https://user:password@a.example/",
        "https://user@a.example/",
        "https://a.example/#x",
        "https:///x",
        "https://a.example:0/",
        "https://a.example:65536/",
        "https://a b/",
        "//a.example/",
        "a.example",
        "",
        "https://ex\u00e4mple.org/",
      })
  void shouldTakeNoOtherUrl(String text) {
    assertThat(TargetUrl.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example,true,a.example,443,/",
    "http://a.example?x=1,false,a.example,80,/?x=1",
    "https://[fd00::1]:8443/hook,true,fd00::1,8443,/hook",
  })
  void shouldReadAUrl(String text, boolean isHttps, String host, int port, String path) {
    assertThat(TargetUrl.parse(text)).contains(new TargetUrl(isHttps, host, port, path));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1/,true",
    "http://localhost:8081/,true",
    "http://[::ffff:10.0.0.1]/,true",
    "http://169.254.169.254/latest/meta-data,true",
    "http://a.example/,false",
    "http://93.184.216.34/,false",
  })
  void shouldRefuseAUrlThatNamesSuchAnAddress(String text, boolean isRefused) {
    assertThat(TargetUrl.parse(text).orElseThrow().isRefusedBy(new AddressGuard(false)))
        .isEqualTo(isRefused);
  }
}
