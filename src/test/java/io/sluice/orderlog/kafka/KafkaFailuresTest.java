package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.monitor.ConnectFault;
import io.sluice.orderlog.LogUnavailableException;
import java.security.cert.CertPathBuilderException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaFailuresTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new TimeoutException("no node"), ConnectFault.UNREACHABLE),
        arguments(
            new TimeoutException("no node", new SaslAuthenticationException("wrong password")),
            ConnectFault.LOGIN_REFUSED),
        arguments(
            new SslAuthenticationException("failed", new CertPathBuilderException("no path")),
            ConnectFault.CERTIFICATE_NOT_TRUSTED),
        arguments(new TopicAuthorizationException("orders"), ConnectFault.PERMISSION_MISSING),
        arguments(new LogUnavailableException("no leader"), ConnectFault.FAILED));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldTellWhyTheBrokersCannotBeUsed(Throwable failure, ConnectFault fault) {
    // when
    Throwable outer = new LogUnavailableException("Expected the topics", failure);

    // then
    assertThat(KafkaFailures.classified(outer).connectFault()).isEqualTo(fault);
  }
}
