package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectFaultTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new ConnectException("refused"), "unreachable"),
        arguments(new UnknownHostException("redis"), "unreachable"),
        arguments(new TimeoutException("late"), "unreachable"),
        arguments(new SSLException("closed"), "tls: handshake failed"),
        arguments(new NotSslRecordException("record"), "tls: server does not speak it"),
        arguments(
            handshake(new CertificateException("No name matching redis found")),
            "tls: certificate is for another host name"),
        arguments(
            handshake(
                new CertificateException("No subject alternative DNS name matching redis found.")),
            "tls: certificate is for another host name"),
        arguments(
            handshake(new CertPathBuilderException("unable to find valid certification path")),
            "tls: certificate not trusted"),
        arguments(
            handshake(
                new CertificateException(
                    "PKIX path validation failed", new CertificateExpiredException("NotAfter"))),
            "tls: certificate expired or not valid yet"),
        arguments(
            new IllegalStateException(
                new ConnectFault.ConnectFailure(ConnectFault.LOGIN_REFUSED, "WRONGPASS")),
            "login refused"),
        arguments(new IllegalStateException("anything"), "failed"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldTellTheMostPreciseReason(Throwable failure, String text) {
    // when
    ConnectFault fault = ConnectFault.of(failure);

    // then
    assertThat(fault.text()).isEqualTo(text);
  }

  @Test
  void shouldEndWhenACauseCausesItself() {
    // given
    Throwable outer = new IllegalStateException("outer");
    outer.initCause(new IllegalStateException("inner", outer));

    // when
    ConnectFault fault = ConnectFault.of(outer);

    // then
    assertThat(fault).isEqualTo(ConnectFault.FAILED);
  }

  @Test
  void shouldGiveOneLineWithTheInnermostReason() {
    // given
    Throwable failure = handshake(new CertificateException("No name\n matching redis"));

    // when
    String line = ConnectFault.line(failure);

    // then
    assertThat(line).isEqualTo("Failed to create SSL connection: No name matching redis");
  }

  private static Throwable handshake(Throwable cause) {
    return new SSLHandshakeException("Failed to create SSL connection") {
      private static final long serialVersionUID = 1L;

      @Override
      public synchronized Throwable getCause() {
        return cause;
      }
    };
  }
}
