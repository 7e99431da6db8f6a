package io.sluice.orderlog.kafka;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Classifies failures of the brokers by what an operator can do about them. */
public final class KafkaFailures {
  private KafkaFailures() {}

  /** The same failure, with its reason. */
  public static ConnectFailure classified(Throwable failure) {
    return new ConnectFailure(fault(failure), failure);
  }

  private static ConnectFault fault(Throwable failure) {
    boolean retriable = false;
    for (Throwable each : ConnectFault.chain(failure)) {
      if (each instanceof AuthorizationException) {
        return ConnectFault.PERMISSION_MISSING;
      }
      if (each instanceof AuthenticationException
          && !(each instanceof SslAuthenticationException)) {
        return ConnectFault.LOGIN_REFUSED;
      }
      retriable |= each instanceof RetriableException;
    }
    ConnectFault fault = ConnectFault.of(failure);
    return fault == ConnectFault.FAILED && retriable ? ConnectFault.UNREACHABLE : fault;
  }
}
